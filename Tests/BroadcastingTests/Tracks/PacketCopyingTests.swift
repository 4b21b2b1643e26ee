import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import TestTraits
import Testing

@testable import HoldfastBroadcasting

/// Copied pictures of a source that changes its headers.
@Suite(.realTime) struct PacketCopyingTests {
  private final class Receiver: PacketReceiver {
    let log = Locked<[String]>([])

    func offer(_ track: Track) { log.withLock { $0.append("track \(track.headers[0])") } }
    func offer(_ packet: MediaPacket) {
      log.withLock { $0.append("\(packet.isKeyframe ? "key" : "picture") \(packet.bytes[0])") }
    }
  }

  private struct Outcome {
    let log: [String]
    let changes: Int
    let notes: [String]
    let lost: Int
  }

  private static func track(_ version: UInt8) -> Track {
    Track(codec: .h264, format: SampleTracks.video.format, headers: [version], bitrate: 0)
  }

  /// `pictures` are headers and whether it is a keyframe; the track begins with headers 0.
  private func copy(_ pictures: [(version: UInt8, isKeyframe: Bool)]) throws -> Outcome {
    let duration = FrameRate.thirty.frameDuration
    let packets = pictures.enumerated().map { number, picture in
      let time = MediaTime(nanoseconds: duration.nanoseconds * Int64(number))
      return CapturedPacket(
        packet: MediaPacket(
          track: .video, decodeTime: time, presentationTime: time, duration: duration,
          isKeyframe: picture.isKeyframe, bytes: [picture.version]), track: Self.track(picture.version),
        lostBefore: 0, isAfterOutage: false)
    }
    let feed = PacketFeed(
      PacketFeed.Settings(track: .video, standIn: { _ in nil }, report: { _ in }),
      PacketFeed.Origin(outlivesBroadcasts: false) { _ in
        FeedSource(properties: Self.track(0), summary: "script") { _, deliver in
          for packet in packets { deliver(packet) }
        }
      })
    try feed.open()
    let (receiver, reports) = (Receiver(), Locked<[LaneEvent]>([]))
    let destination = try LaneDestination(to: [receiver], selfEnding: [.video], noting: reports)
    let copying = PacketCopying(track: Self.track(0))
    let lane = FeedLane(feed, capacity: 200, to: destination, encode: { copying.run($0) })
    destination.timeline.run(from: MonotonicTime(nanoseconds: 0))
    try lane.start()
    lane.join()
    feed.close()
    let events = reports.withLock { $0 }
    return Outcome(
      log: receiver.log.withLock { $0 },
      changes: events.count { if case .trackChanged = $0 { true } else { false } },
      notes: events.compactMap { if case .note(let text) = $0 { text } else { nil } },
      lost: events.reduce(0) { if case .lost(let loss) = $1 { $0 + loss.pictures } else { $0 } })
  }

  @Test func `other headers are announced right before their keyframe, and nothing is lost`() throws {
    let outcome = try copy([(0, true), (0, false), (1, true), (1, false), (1, true)])
    #expect(outcome.log == ["track 0", "key 0", "picture 0", "track 1", "key 1", "picture 1", "key 1"])
    #expect(outcome.changes == 1 && outcome.notes.isEmpty && outcome.lost == 0)
  }

  @Test func `pictures with other headers wait for their keyframe, and are told as lost`() throws {
    let outcome = try copy([(0, true), (1, false), (1, false), (1, true)])
    #expect(outcome.log == ["track 0", "key 0", "track 1", "key 1"])
    #expect(outcome.lost == 2)
  }

  @Test func `headers that are back before a keyframe came with others change nothing`() throws {
    let outcome = try copy([(0, true), (1, false), (0, true), (0, false)])
    #expect(outcome.log == ["track 0", "key 0", "key 0", "picture 0"])
    #expect(outcome.changes == 0 && outcome.lost == 1)
  }

  @Test func `the first pictures may have other headers than were announced`() throws {
    let outcome = try copy([(1, true), (1, false)])
    #expect(outcome.log == ["track 0", "track 1", "key 1", "picture 1"])
    #expect(outcome.changes == 0)
  }

  @Test
  func `a source that flaps is followed five times, then left out with one word, and told as lost`() throws {
    let flapping = (0..<24).flatMap { number -> [(version: UInt8, isKeyframe: Bool)] in
      let version = UInt8(number % 2)
      return [(version, true), (version, false)]
    }
    let outcome = try copy(flapping)
    #expect(outcome.changes == CopiedHeaders.maxChanges && outcome.notes.count == 1)
    #expect(outcome.notes.first?.contains("left out") == true)
    // Every other stretch of two pictures, except behind the last one that is passed.
    let passed = outcome.log.count { !$0.hasPrefix("track") }
    #expect(passed == 2 * (6 + 9) && outcome.lost == 48 - passed)
  }
}
