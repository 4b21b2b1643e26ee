import HoldfastMediaModel
import HoldfastSession
import HoldfastStores
import HoldfastTokens
import TestSupport
import Testing

@testable import HoldfastHub

@Suite struct MediaGateTests {
  private let name: Session.Name
  private let keys = HubKeys(secret: Array("what the hubs of the tests share".utf8))
  private let gate: MediaGate
  private let now = WallTime(nanoseconds: 1_800_000_000_000_000_000)

  init() throws {
    name = try Session.Name("Hall")
    gate = MediaGate(keys: keys)
  }

  private func question(of member: Session.Member.ID) -> MediaQuestion {
    let session = HubKeys.digest(of: name)
    return MediaQuestion(
      use: .publish, stream: HubKeys.stream(session, member),
      key: keys.publishKey(for: member, in: session, epoch: 1, until: now + .seconds(60)))
  }

  @Test func `an expired key begins no publish, and ends none`() throws {
    let question = question(of: try #require(.init("abcdefghijklmno1")))
    #expect(gate.admits(question, at: now))
    #expect(!gate.admits(question, at: now + .seconds(60)))
    #expect(gate.admits(question, at: nil))
  }

  @Test func `whoever is removed publishes no longer, and nobody once the session is over`() throws {
    let hub = try TestHub()
    var store = hub.store
    gate.watch(name)
    let anna = try hub.join("Anna", token: hub.token(.host))
    let max = try hub.join("Max", token: hub.token(.participant, name: "Max"))
    let (annas, maxs) = (
      question(of: try #require(.init(anna.id))), question(of: try #require(.init(max.id)))
    )
    #expect(!gate.take(try store.load(name, asking: nil)))
    #expect(gate.admits(maxs, at: nil))
    #expect(try hub.command(["command": "remove", "target": .text(max.id)], by: anna).verdict == "200")
    #expect(gate.take(try store.load(name, asking: nil)))
    #expect(!gate.admits(maxs, at: nil) && gate.admits(annas, at: nil))
    #expect(try hub.command(["command": "end"], by: anna).verdict == "200")
    #expect(gate.take(try store.load(name, asking: nil)))
    #expect(!gate.admits(annas, at: nil))
  }
}
