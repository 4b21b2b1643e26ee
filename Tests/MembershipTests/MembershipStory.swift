import HoldfastMediaModel
import HoldfastSession
import TestRandomness

@testable import HoldfastMembership

/// A machine that is told its outcomes by hand.
struct MembershipStory {
  private(set) var machine: MembershipMachine
  private(set) var now = MonotonicTime(nanoseconds: 0)
  private(set) var actions: [MembershipMachine.Action] = []

  static let member = "abcdefghijklmnop"

  init(
    record: MembershipRecord? = nil, _ change: (inout MembershipMachine.Settings) -> Void = { _ in }
  ) throws {
    var settings = MembershipMachine.Settings(
      address: "https://hub/Hall", name: try Session.DisplayName("Box"))
    change(&settings)
    machine = MembershipMachine(settings, record: record, randomness: SplitMix64(seed: 1))
  }

  /// The join is sent.
  static func started(
    _ change: (inout MembershipMachine.Settings) -> Void = { _ in }
  ) throws -> MembershipStory {
    var story = try MembershipStory(change)
    story.handle(.started)
    return story
  }

  mutating func handle(_ events: MembershipMachine.Event...) {
    for event in events { actions += machine.handle(event, at: now) }
  }

  mutating func pass(_ time: MediaTime) {
    now = now + time
    if let deadline = machine.nextDeadline, deadline <= now { handle(.timePassed) }
  }

  /// Until something is due.
  mutating func passToDeadline() {
    guard let deadline = machine.nextDeadline else { return }
    now = max(now, deadline)
    handle(.timePassed)
  }

  mutating func passToRequest() { while request == 0, machine.nextDeadline != nil { passToDeadline() } }

  mutating func takeActions() -> [MembershipMachine.Action] {
    defer { actions = [] }
    return actions
  }

  /// The number of the request that is not answered; 0 if there is none.
  var request: Int {
    switch machine.state {
    case .joining(let joining):
      if case .asking(let number) = joining.step { number } else { 0 }
    case .joined(let joined):
      switch joined.channel {
      case .idle: 0
      case .beating(let number, _), .commanding(let number): number
      }
    case .leaving(let leaving):
      switch leaving.step {
      case .finishing(let number, _), .leaving(let number, _): number
      case .waiting: 0
      }
    case .idle, .superseded, .over, .left, .finished: 0
    }
  }

  var stream: Int {
    guard case .joined(let joined) = machine.state else { return 0 }
    return joined.stream.number ?? 0
  }

  /// An event of the stream.
  mutating func receive(_ id: String?, _ name: String, _ data: JSONValue = .null) {
    handle(.streamed(stream, HubEvent(id: id, name: name, data: data)))
  }

  mutating func receive(_ id: String?, _ event: Session.Event) { receive(id, event.name, event.json) }

  static func place(
    _ sequence: Int = 1, _ change: (inout Session.MemberPlace) -> Void = { _ in }
  ) -> Session.MemberPlace {
    var place = Session.MemberPlace(
      lease: "lease \(sequence)", proof: "proof", role: .participant, lastEvent: "1-\(sequence)",
      ingest: "rtmp://media/live/box?key=\(sequence)")
    change(&place)
    return place
  }

  static func joinAnswer(_ place: Session.MemberPlace = place()) throws -> Session.JoinAnswer {
    guard let id = Session.Member.ID(member) else { throw TestFailure("the id") }
    return Session.JoinAnswer(member: id, place: place, state: .null)
  }

  static func beatAnswer(_ sequence: Int = 2) -> Session.BeatAnswer {
    Session.BeatAnswer(version: "\(sequence)", place: place(sequence))
  }

  /// In the session, with the first beat answered and the stream open.
  mutating func join() throws {
    handle(.started)
    handle(.joined(request, try Self.joinAnswer()))
    handle(.beaten(request, Self.beatAnswer()), .streamOpened(stream))
    actions = []
  }

  mutating func fail(_ failure: HubFailure) { handle(.failed(request, failure)) }

  /// The request fails, and the next one is sent when it is due.
  mutating func retry(after failure: HubFailure) {
    fail(failure)
    passToRequest()
  }
}

extension HubFailure {
  static func refused(_ status: Int, _ code: String) -> HubFailure {
    .refused(HubRefusal(status, code, "the words for \(code)"))
  }

  static let lost = HubFailure.unreachable("connection refused")
}

extension MembershipMachine.Action {
  var record: MembershipRecord? { if case .remember(let record) = self { record } else { nil } }

  var join: Session.JoinRequest? { if case .send(_, .join(let join)) = self { join } else { nil } }

  var beat: Session.BeatRequest? { if case .send(_, .beat(_, let beat)) = self { beat } else { nil } }

  var command: Session.CommandRequest? {
    if case .send(_, .command(_, let command)) = self { command } else { nil }
  }
}
