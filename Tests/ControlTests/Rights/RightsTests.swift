import HoldfastMediaModel
import Testing

@testable import HoldfastControl
@testable import HoldfastTokens

@Suite struct RightsTests {
  private static let ofManager: [Capability] = [
    .view, .mute, .interrupt, .switchCamera, .bitrate, .sendEvent, .ready, .refuse, .changeMaxDuration,
  ]
  private static let table: [(role: Role, may: [Capability])] = [
    (.host, ofManager + [.end, .grant]), (.manager, ofManager), (.participant, [.view, .ready]),
  ]

  @Test func `the table of rights covers every capability and every role`() {
    #expect(Self.table[0].may == Capability.allCases)
    #expect(Self.table.map(\.role) == Role.ofBroadcasts)
  }

  /// The capabilities have a fixed order.
  @Test(arguments: table)
  func `each role may do what the table of rights says`(role: Role, may: [Capability]) {
    let caller = Caller(name: "a", role: role)
    #expect(caller.capabilities == may)
    #expect(Capability.allCases.filter { caller.may($0) } == may)
  }

  @Test func `the same user is the host, without a token or an expiry`() {
    #expect(Caller.local.role == .host && Caller.local.name == "local")
    #expect(Caller.local.expiresAt == nil && Caller.local.tokenID == nil)
  }

  @Test func `roles and capabilities have the names used in tokens and answers`() {
    #expect(Role.allCases.map(\.rawValue) == ["host", "manager", "participant", "worker", "operator"])
    let names = Capability.allCases.map(\.rawValue).joined(separator: " ")
    #expect(
      names == "view mute interrupt switchCamera bitrate sendEvent ready refuse changeMaxDuration end grant")
  }
}
