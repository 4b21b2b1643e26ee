import HoldfastBroadcasting
import HoldfastMembership
import HoldfastPlatform
import HoldfastSessionClient

/// The place of a broadcaster in its session, if it has one.
final class BroadcasterMembership: Sendable {
  let settings: SessionSettings?
  private let name: String
  private let journals: String?
  private let note: @Sendable (String) -> Void
  private let othersReady = OthersReady()
  private let current = Locked<MembershipLink?>(nil)

  /// `name` is that of the broadcast. `journals` is the folder of what outlives the process.
  init(
    _ settings: SessionSettings?, name: String, journals: String?, note: @escaping @Sendable (String) -> Void
  ) {
    self.settings = settings
    self.name = name
    self.journals = journals
    self.note = note
  }

  /// Waits for the others in the session, and asks `other` at the same time; both have to agree.
  func gate(beside other: (any HoldfastBroadcasting.GoLiveGate)?) -> (any HoldfastBroadcasting.GoLiveGate)? {
    guard let others = settings?.awaitsOthers else { return other }
    return GateOfOthers(others: OthersGate(others: others, changes: othersReady.changes), other: other)
  }

  /// Joins, and tries until it has: nothing waits for that.
  func start(controlling broadcaster: HoldfastBroadcasting.Broadcaster) throws {
    guard let settings else { return }
    let (place, machine) = try settings.checked(as: name, property: "membership.")
    let link = MembershipLink(
      machine, place, journals: journals, key: settings.memberKey, controlling: broadcaster,
      othersReady: othersReady, note: note)
    current.withLock { $0 = link }
  }

  /// Leaves the session, within a short time.
  func finish() { current.withLock { $0.take() }?.finish() }

  /// Nil before `start`, after `finish`, and without a session.
  var link: MembershipLink? { current.withLock { $0 } }
}

private struct GateOfOthers: HoldfastBroadcasting.GoLiveGate {
  let others: OthersGate
  let other: (any HoldfastBroadcasting.GoLiveGate)?

  func authorize(_ broadcast: HoldfastBroadcasting.BroadcastInfo) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await others.authorize(broadcast) }
      if let other { group.addTask { try await other.authorize(broadcast) } }
      // The first refusal is the answer.
      for try await _ in group {}
    }
  }
}
