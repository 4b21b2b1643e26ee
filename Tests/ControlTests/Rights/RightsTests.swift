import HoldfastMediaModel
import Testing

@testable import HoldfastControl
@testable import HoldfastTokens

@Suite struct RightsTests {
  private static let table: [(capability: Capability, host: Bool, manager: Bool, participant: Bool)] = [
    (.view, true, true, true),
    (.mute, true, true, false),
    (.interrupt, true, true, false),
    (.switchCamera, true, true, false),
    (.bitrate, true, true, false),
    (.sendEvent, true, true, false),
    (.ready, true, true, true),
    (.refuse, true, true, false),
    (.changeMaxDuration, true, true, false),
    (.end, true, false, false),
    (.grant, true, false, false),
  ]

  @Test func `the table of rights covers every capability and every role`() {
    #expect(Self.table.map(\.capability) == Capability.allCases)
    #expect(Role.ofBroadcasts == [.host, .manager, .participant])
  }

  @Test(arguments: table)
  func `each role may do what the table of rights says`(
    capability: Capability, host: Bool, manager: Bool, participant: Bool
  ) {
    let may = Role.ofBroadcasts.map { Caller(name: "a", role: $0).may(capability) }
    #expect(may == [host, manager, participant])
  }

  @Test func `the capabilities of a caller have a fixed order`() {
    let manager = Caller(name: "a", role: .manager)
    #expect(
      manager.capabilities == [
        .view, .mute, .interrupt, .switchCamera, .bitrate, .sendEvent, .ready, .refuse, .changeMaxDuration,
      ])
  }

  @Test func `the same user is the host, without a token or an expiry`() {
    #expect(Caller.local.role == .host)
    #expect(Caller.local.name == "local")
    #expect(Caller.local.expiresAt == nil && Caller.local.tokenID == nil)
  }

  @Test func `roles and capabilities have the names used in tokens and answers`() {
    #expect(Role.allCases.map(\.rawValue) == ["host", "manager", "participant", "worker", "operator"])
    #expect(
      Capability.allCases.map(\.rawValue) == [
        "view", "mute", "interrupt", "switchCamera", "bitrate", "sendEvent", "ready", "refuse",
        "changeMaxDuration", "end", "grant",
      ])
  }
}
