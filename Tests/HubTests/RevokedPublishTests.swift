import HoldfastMediaModel
import HoldfastMediaServer
import HoldfastPlatform
import HoldfastSession
import HoldfastStores
import HoldfastTokens
import TestSupport
import TestTraits
import Testing

@testable import HoldfastHub

/// What a member publishes whose token is revoked.
@Suite(.realTime) struct RevokedPublishTests {
  private let store = SharedMemoryStore()
  private let events = Locked<[MediaServer.Event]>([])

  private func revoke(_ token: String, at hub: TestHub) throws {
    let chief = try hub.token(.operator)
    let answer = try hub.send("POST", "/v1/revocations", ["token": .text(token)], token: chief)
    #expect(answer.verdict == "200")
  }

  @Test(arguments: [true, false])
  func `a publish ends with its member's token, whichever hub revokes it`(isOwn: Bool) throws {
    let media = try EmbeddedMedia(MediaServer.Configuration()) { [events] event in
      events.withLock { $0.append(event) }
    }
    defer { media.stop() }
    let own = try TestHub(
      media: media.addresses(host: "127.0.0.1"), server: media, stores: { [store] in store })
    let other = try TestHub(stores: { [store] in store })
    let anna = try own.join("Anna", token: own.token(.host), wants: [.ingest])
    let max = try own.join("Max", token: own.token(.participant, name: "Max"), wants: [.ingest])
    let publishers = try [anna, max].map { member in
      try RunningTool([
        "ffmpeg", "-nostdin", "-v", "quiet", "-re", "-f", "lavfi", "-i", "color=size=64x64:rate=5",
        "-f", "flv", try #require(member.place.ingest),
      ])
    }
    #expect(eventually { events.count { if case .publishing = $0 { true } else { false } } == 2 })

    try revoke(try #require(max.token), at: isOwn ? own : other)
    #expect(eventually { events.count { if case .ended(_, .revoked) = $0 { true } else { false } } > 0 })
    let ended = events.withLock {
      $0.compactMap { if case .ended(let report, _) = $0 { report.name } else { nil } }
    }
    #expect(ended.allSatisfy { $0.hasSuffix(max.id) })
    withExtendedLifetime(publishers) {}
  }

  @Test func `media servers that ask are told of a revoked token by every hub`() throws {
    let media = MediaAddresses(ingest: "rtmp://m/live/{session}.{member}?key={key}", play: nil)
    let hubs = try (0..<2).map { _ in try TestHub(media: media, stores: { [store] in store }) }
    _ = try hubs[0].join("Anna", token: hubs[0].token(.host))
    let max = try hubs[0].join("Max", token: hubs[0].token(.participant, name: "Max"), wants: [.ingest])
    func verdicts() throws -> Set<String> { Set(try hubs.map { try $0.answerToPublish(max) }) }
    #expect(try verdicts() == ["200"])
    try revoke(try #require(max.token), at: hubs[1])
    #expect(try eventually { try verdicts() == ["403 keyRefused"] })
    // The member has left, and its key is still fresh.
    store.pass(.seconds(60))
    #expect(try verdicts() == ["403 keyRefused"])
  }
}
