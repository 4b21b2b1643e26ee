import Foundation
import HoldfastMediaModel
import HoldfastMediaServer
import HoldfastPlatform
import HoldfastSession
import HoldfastTokens
import TestSupport
import TestTraits
import Testing

@testable import HoldfastHub

/// What pages get of what members publish.
@Suite(.realTime) struct TileTests {
  private let media: EmbeddedMedia
  private let hub: TestHub
  private let anna: TestHub.Member
  private let pia: TestHub.Member
  private let events = Locked<[MediaServer.Event]>([])

  init() throws {
    media = try EmbeddedMedia(MediaServer.Configuration()) { [events] event in
      events.withLock { $0.append(event) }
    }
    hub = try TestHub(media: media.addresses(host: "127.0.0.1"), server: media)
    anna = try hub.join("Anna", token: hub.token(.host), wants: [.ingest, .ingestSmall])
    pia = try hub.join("Pia", .person, token: hub.token(.participant, name: "Pia"))
  }

  private func publish(
    _ member: TestHub.Member, _ rendition: Session.Rendition = .main
  ) throws -> RunningTool {
    try RunningTool([
      "ffmpeg", "-nostdin", "-v", "quiet", "-re", "-f", "lavfi", "-i", "testsrc=size=160x90:rate=10", "-f",
      "lavfi", "-i", "sine=sample_rate=48000", "-c:v", "libx264", "-preset", "ultrafast", "-tune",
      "zerolatency", "-g", "10", "-pix_fmt", "yuv420p", "-c:a", "aac", "-f", "flv",
      try #require(member.place.ingests[rendition]),
    ])
  }

  private func frames(
    _ kind: TileReader.Frame.Kind, sound: Bool = false, in frames: [TileReader.Frame]
  ) -> [TileReader.Frame] {
    frames.filter { $0.kind == kind && $0.isSound == sound }
  }

  @Test func `pictures and sound come as tracks of their own, and play`() throws {
    let publisher = try publish(anna)
    defer { withExtendedLifetime(publisher) {} }
    let reader = try TileReader("members=\(anna.id)&sound=\(anna.id)", at: hub, as: pia)
    #expect(
      reader.wait { frames(.media, in: $0).count >= 15 && frames(.media, sound: true, in: $0).count >= 40 })
    #expect(reader.frames.allSatisfy { $0.kind == .padding || $0.member == anna.id })
    let scratch = ScratchFolder()
    for isSound in [false, true] {
      let heads = frames(.head, sound: isSound, in: reader.frames)
      #expect(heads.count == 1)
      let type = try #require(heads.first?.type)
      #expect(type.hasPrefix(isSound ? "audio/mp4; codecs=\"mp4a.40.2" : "video/mp4; codecs=\"avc1."))
      let media = reader.frames.filter { [.head, .media].contains($0.kind) && $0.isSound == isSound }
      let path = "\(scratch.path)/\(isSound).mp4"
      try Data(media.flatMap(\.media)).write(to: URL(fileURLWithPath: path))
      let stream = try #require(Tool.probe(path, count: true).first)
      #expect(stream["codec_name"] == (isSound ? "aac" : "h264"))
      #expect(Int(stream["nb_read_packets"] ?? "") == media.count - 1)
    }
  }

  @Test func `a member that goes is lost, and is there again when it comes back`() throws {
    var publisher: RunningTool? = try publish(anna)
    let reader = try TileReader("members=\(anna.id)", at: hub, as: pia)
    #expect(reader.wait { frames(.media, in: $0).count >= 3 })
    publisher?.signal(SIGKILL)
    publisher = nil
    #expect(reader.wait { $0.last { $0.kind != .padding }?.kind == .lost })
    publisher = try publish(anna)
    #expect(reader.wait { frames(.head, in: $0).count >= 2 && $0.last?.kind == .media })
    withExtendedLifetime(publisher) {}
  }

  @Test func `a member is pulled once however many look, and not at all when nobody does`() throws {
    let publisher = try publish(anna)
    defer { withExtendedLifetime(publisher) {} }
    var readers = try (0..<3).map { _ in try TileReader("members=\(anna.id)", at: hub, as: pia) }
    for reader in readers { #expect(reader.wait { frames(.media, in: $0).count >= 3 }) }
    #expect(events.count { if case .playing = $0 { true } else { false } } == 1)
    readers = []
    #expect(eventually { events.count { if case .playerLeft = $0 { true } else { false } } == 1 })
  }

  @Test func `a small tile is the small stream of who gives one, pulled once, and else the main one`() throws
  {
    let publishers = try [publish(anna), publish(anna, .small)]
    defer { withExtendedLifetime(publishers) {} }
    let first = try TileReader("small=\(anna.id)", at: hub, as: pia)
    #expect(first.wait { frames(.media, in: $0).count >= 3 })
    #expect(first.frames.filter { $0.kind != .padding }.allSatisfy { $0.rendition == 0 })
    #expect(try hub.beat(anna, .live, givesSmall: true).verdict == "200")
    let readers = try (0..<2).map { _ in
      try TileReader("small=\(anna.id)&sound=\(anna.id)", at: hub, as: pia)
    }
    for reader in readers {
      #expect(
        reader.wait { frames(.media, in: $0).count >= 3 && !frames(.media, sound: true, in: $0).isEmpty })
      #expect(
        reader.frames.filter { $0.kind != .padding }.allSatisfy { $0.rendition == ($0.isSound ? 0 : 1) })
    }
    let played = events.withLock { events in
      events.compactMap { if case .playing(let stream, _) = $0 { stream } else { nil } }
    }
    #expect(played.count == 2 && Set(played).count == 2)
  }

  @Test func `a viewer's tiles end with its place in the session`() throws {
    let reader = try TileReader("members=\(anna.id)", at: hub, as: pia)
    #expect(reader.wait { !frames(.lost, in: $0).isEmpty })
    #expect(try hub.command(["command": "remove", "target": .text(pia.id)], by: anna).verdict == "200")
    #expect(reader.waitForEnd())
  }

  @Test func `one picture can be had alone`() throws {
    let path = "/v1/sessions/Hall/members/\(anna.id)/preview.jpg"
    func still() throws -> TestHub.Answer { try hub.send("GET", path, token: pia.token, lease: pia.lease) }
    #expect(try still().verdict == "404 noPicture")
    let publisher = try publish(anna)
    defer { withExtendedLifetime(publisher) {} }
    #expect(try eventually { try still().status == 200 })
    #expect(try still().head.contains("image/jpeg"))
  }

  private static let ids = (10..<23).map { "abcdefghijklmn\($0)" }

  @Test(arguments: [
    ("live", "422 badValue"), ("live?members=", "422 badValue"), ("live?members=anna", "422 badValue"),
    ("live?small=anna", "422 badValue"),
    ("live?members=abcdefghijklmno1&small=abcdefghijklmno1", "422 badValue"),
    ("live?members=\(ids.joined(separator: ","))", "422 badValue"),
    (
      "live?members=\(ids[..<7].joined(separator: ","))&small=\(ids[7...].joined(separator: ","))",
      "422 badValue"
    ),
    ("members/anna/preview.jpg", "422 badValue"), ("members/abcdefghijklmno1/preview.jpg", "404 noPicture"),
  ])
  func `what names no member, or more than the grid has places, is refused`(
    path: String, verdict: String
  ) throws {
    #expect(try hub.send("GET", "/v1/sessions/Hall/\(path)", token: pia.token).verdict == verdict)
  }

  @Test func `a hub that plays nobody says so`() throws {
    let hub = try TestHub()
    let anna = try hub.join("Anna", token: hub.token(.host))
    let answer = try hub.send("GET", "/v1/sessions/Hall/live?members=\(anna.id)", token: anna.token)
    #expect(answer.verdict == "404 notLive")
  }

  @Test func `a frame is a length, what it is, whose, and its bytes`() throws {
    let id = try #require(Session.Member.ID("abcdefghijklmno1"))
    let head = TileFrame(member: id, track: .audio, content: .head(type: "a/b", bytes: [9, 8]))
    #expect(
      head.bytes
        == [0, 0, 0, 26, 0, 1, 0, 16] + Array(id.text.utf8) + [3] + Array("a/b".utf8) + [9, 8])
    #expect(TileFrame(content: .padding).bytes == [0, 0, 0, 4, 3, 0, 0, 0])
    let small = TileFrame(member: id, rendition: .small, content: .media([7]))
    #expect(small.bytes == [0, 0, 0, 21, 1, 0, 1, 16] + Array(id.text.utf8) + [7])
  }
}

extension Locked<[MediaServer.Event]> {
  func count(where matches: (MediaServer.Event) -> Bool) -> Int { withLock { $0.count(where: matches) } }
}
