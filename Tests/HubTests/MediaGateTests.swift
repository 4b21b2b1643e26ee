import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession
import HoldfastStores
import TestStores
import TestSupport
import Testing

@testable import HoldfastHTTP
@testable import HoldfastHub
@testable import HoldfastTokens

@Suite struct MediaGateTests {
  private static let media = MediaAddresses(ingest: "rtmp://m/live/{session}.{member}?key={key}")

  @Test
  func `a removed member publishes nowhere, though its key is right, when another has just joined`() throws {
    let (first, anna, max) = try TestHub.ofTwo(media: Self.media, wants: [.ingest])
    #expect(try first.answerToPublish(max) == "200")
    #expect(try first.command(["command": "remove", "target": .text(max.id)], by: anna).verdict == "200")
    let second = try TestHub(media: Self.media, stores: { [store = first.store] in store })
    let left = try second.join("Left", token: first.token(.participant, name: "Left"), wants: [.ingest])
    #expect(try second.answerToPublish(max) == "403 keyRefused")
    #expect(try second.answerToPublish(left) == "200")
  }

  @Test func `a small stream is admitted as the main one, and refused with it`() throws {
    let (hub, anna, max) = try TestHub.ofTwo(media: Self.media, wants: [.ingest, .ingestSmall])
    for rendition in Session.Rendition.allCases {
      #expect(try hub.answerToPublish(max, rendition) == "200")
    }
    #expect(try hub.command(["command": "remove", "target": .text(max.id)], by: anna).verdict == "200")
    for rendition in Session.Rendition.allCases {
      // Its media server is told a moment after the command's answer, and ends what has begun meanwhile.
      #expect(try eventually { try hub.answerToPublish(max, rendition) == "403 keyRefused" })
    }
  }

  @Test func `what was loaded earlier changes nothing, though it comes later`() throws {
    let service = HubService.ofTests(media: Self.media)
    var store = MemoryStore()
    let host = Session.Credential(.host, token: "Anna")
    _ = try service.join(1, by: host, in: &store)
    let guest = Session.Credential(.participant, token: "Max")
    let max = try service.join(2, "Max", by: guest, in: &store).member
    let before = try store.load(.hall, asking: nil)
    _ = try service.perform(
      Session.CommandRequest(.remove(max)), in: .hall, by: .token(host), newID: { "" }, in: &store)
    let gate = MediaGate(keys: service.keys, isRevoked: { _ in false })
    gate.watch(.hall)
    let session = HubKeys.digest(of: .hall)
    #expect(!gate.hasHeard(of: session))
    #expect(gate.take(try store.load(.hall, asking: nil)))
    #expect(!gate.take(before))
    let key = service.keys.publishKey(
      for: max, in: session, epoch: before.version.epoch, until: .now + .seconds(60))
    let question = MediaQuestion(use: .publish, stream: HubKeys.stream(session, max), key: key)
    #expect(!gate.admits(question, at: .now))
  }

  @Test func `the end of one meeting is not that of the next, which is only empty`() throws {
    let service = HubService.ofTests(media: Self.media)
    var store = MemoryStore()
    let host = Session.Credential(.host, token: "Anna")
    let ended = try service.join(1, "Anna 1", by: host, in: &store).member
    _ = try service.perform(
      Session.CommandRequest(.end), in: .hall, by: .token(host), newID: { "" }, in: &store)
    let emptied = try service.join(2, "Anna 2", by: host, in: &store).member
    let gate = MediaGate(keys: service.keys, isRevoked: { _ in false })
    let session = HubKeys.digest(of: .hall)
    func mayPublish(_ member: Session.Member.ID) throws -> Bool {
      let key = service.keys.publishKey(for: member, in: session, epoch: 1, until: .now + .seconds(60))
      return gate.admits(
        MediaQuestion(use: .publish, stream: HubKeys.stream(session, member), key: key), at: .now)
    }
    _ = gate.take(try store.load(.hall, asking: nil))
    #expect(try !mayPublish(ended) && mayPublish(emptied))
    for pause in [MediaTime.seconds(20), .seconds(300)] {
      store.pass(pause)
      _ = try store.advance(.hall, contactSince: WallTime(nanoseconds: 0))
    }
    let empty = try store.load(.hall, asking: nil)
    #expect(empty.session.meeting == nil && !gate.take(empty))
    #expect(try !mayPublish(ended) && mayPublish(emptied))
  }

  @Test func `a session that nobody could join is watched as long as a key lasts`() throws {
    let (other, now) = (try Session.Name("Other"), WallTime.now)
    let gate = MediaGate(keys: HubKeys(secret: [1]), isRevoked: { _ in false })
    gate.watch(.hall, at: now)
    gate.watch(other, at: now + MediaAddresses.keyLife)
    #expect(gate.names == [other])
  }

  @Test func `an expired key begins no publish, and ends none`() throws {
    let (keys, now) = (HubKeys(secret: [1]), WallTime.now)
    let gate = MediaGate(keys: keys, isRevoked: { _ in false })
    let (session, member) = (HubKeys.digest(of: .hall), try #require(Session.Member.ID("abcdefghijklmno1")))
    let question = MediaQuestion(
      use: .publish, stream: HubKeys.stream(session, member),
      key: keys.publishKey(for: member, in: session, epoch: 1, until: now + .seconds(60)))
    #expect(gate.admits(question, at: now))
    #expect(!gate.admits(question, at: now + .seconds(60)))
    #expect(gate.admits(question, at: nil))
  }

  @Test func `nobody publishes once the session is over`() throws {
    let hub = try TestHub(media: Self.media)
    let anna = try hub.join("Anna", token: hub.token(.host), wants: [.ingest])
    #expect(try hub.answerToPublish(anna) == "200")
    #expect(try hub.command(["command": "end"], by: anna).verdict == "200")
    #expect(eventually { (try? hub.answerToPublish(anna)) == "403 keyRefused" })
  }

  @Test func `who was removed publishes no longer, not even once the session is forgotten`() throws {
    let (hub, anna, max) = try TestHub.ofTwo(media: Self.media, wants: [.ingest])
    #expect(try hub.command(["command": "remove", "target": .text(max.id)], by: anna).verdict == "200")
    #expect(eventually { (try? hub.answerToPublish(max)) == "403 keyRefused" })
    #expect(try hub.post("leave", [:], token: anna.token, lease: anna.lease).verdict == "200")
    hub.store.pass(.seconds(400))
    var store = hub.store
    // The hub itself counts five minutes from the leap of the clock.
    _ = try store.advance(.hall, contactSince: WallTime(nanoseconds: 0))
    #expect(try store.load(.hall, asking: nil).session.isForgotten)
    #expect(try hub.answerToPublish(max) == "403 keyRefused")
  }
}
