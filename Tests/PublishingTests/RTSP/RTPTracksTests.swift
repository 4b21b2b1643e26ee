import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRTSP
import TestSupport
import Testing

@testable import HoldfastPublishing

@Suite struct RTPTracksTests {
  private struct Sent {
    let bytes: [UInt8]
    let track: Int
    let isReport: Bool

    private func number(_ range: Range<Int>) -> UInt32 { bytes[range].reduce(0) { $0 << 8 | UInt32($1) } }
    var timestamp: UInt32 { number(isReport ? 16..<20 : 4..<8) }
    /// Of a report: seconds on the wall clock.
    var wallClock: Double { Double(number(8..<12)) + Double(number(12..<16)) / 0x1p32 }
  }

  private let media = Result { try EncodedMedia.inOrder.get() }

  /// What goes out for packets that are sent at these times, from which the wall clock differs by `steps` from so many
  /// packets on.
  private func send(
    _ packets: [(MediaPacket, at: MediaTime)], pauses: Set<Int> = [], steps: [Int: MediaTime] = [:]
  ) throws -> [Sent] {
    let tracks = try RTPTracks(try media.get().tracks, name: "x")
    var sent: [Sent] = []
    var clock = WallTime(nanoseconds: 0)
    for (index, (packet, time)) in packets.enumerated() {
      if pauses.contains(index) { tracks.pause() }
      clock = clock + (steps[index] ?? .zero)
      try tracks.write(packet, at: MonotonicTime(nanoseconds: time.nanoseconds), wallClock: clock + time) {
        sent.append(Sent(bytes: $0.withUnsafeBufferPointer { Array($0) }, track: $1, isReport: $2))
      }
    }
    return sent
  }

  private func packet(_ kind: TrackKind, at time: MediaTime) throws -> MediaPacket {
    var packet = try #require(try media.get().packets.first { $0.track == kind })
    packet.decodeTime = time
    packet.presentationTime = time
    return packet
  }

  @Test func `a track's first packet is between two of its reports, the second one with those of all others`()
    throws
  {
    let packets: [(MediaPacket, at: MediaTime)] = try [
      (packet(.video, at: .zero), .zero), (packet(.audio, at: .zero), .zero),
      (packet(.video, at: .seconds(1)), .seconds(1)),
    ]
    var kinds: [String] = []
    for one in try send(packets) {
      let kind = "\(one.isReport ? "report" : "media") \(one.track)"
      if one.isReport || kinds.last != kind { kinds.append(kind) }
    }
    #expect(
      kinds == [
        "report 0", "media 0", "report 0", "report 1", "media 1", "report 0", "report 1", "media 0",
      ])
  }

  @Test func `reports continue while media flows`() throws {
    let packets = try (0..<12).map { (try packet(.video, at: .seconds($0)), at: MediaTime.seconds($0)) }
    let sent = try send(packets)
    #expect(sent.filter(\.isReport).count == 4)
  }

  struct Course: Sendable {
    /// From a sound's media time until it is sent; a picture takes 20 ms.
    var soundDelay: MediaTime
    var pause: MediaTime
    var clockStep: MediaTime

    static let all = [0, 65, 400].flatMap { delay in
      [0, 1, 3_600_000].flatMap { pause in
        [-7_200_000, -3, 0, 250].map { step in
          Course(
            soundDelay: .milliseconds(delay), pause: .milliseconds(pause), clockStep: .milliseconds(step))
        }
      }
    }
  }

  @Test(arguments: Course.all)
  func `all reports of both tracks map media time to the wall clock alike`(course: Course) throws {
    let start = MediaTime.seconds(7)
    // Thirty media seconds with two pauses, in which media time stands still.
    let packets = try (0..<60 as Range<Int64>).flatMap { half in
      let time = start + .milliseconds(500 * half)
      let due = time + MediaTime(nanoseconds: course.pause.nanoseconds * (half / 20))
      return [
        (try packet(.video, at: time), at: due + .milliseconds(20)),
        (try packet(.audio, at: time), at: due + course.soundDelay),
      ]
    }.sorted { $0.at < $1.at }
    let sent = try send(packets, pauses: [40, 80], steps: [20: course.clockStep, 70: course.clockStep])
    let firstSent = try #require(packets.first).at.seconds + 2_208_988_800
    let rates = [90_000.0, 48_000.0]
    let origins = try (0...1).map { track in
      try #require(sent.first { !$0.isReport && $0.track == track }).timestamp
    }
    let reports = sent.filter(\.isReport)
    #expect(reports.count > 10)
    let errors = reports.map { report in
      let elapsed = Double(Int32(truncatingIfNeeded: report.timestamp &- origins[report.track]))
      return abs(report.wallClock - firstSent - elapsed / rates[report.track])
    }
    #expect(errors.max() ?? 1 < 0.0001)
  }

  @Test func `RTP time follows the wall clock during a pause, though sound is sent late`() throws {
    let late = MediaTime.milliseconds(65)
    let packets: [(MediaPacket, at: MediaTime)] = try [
      (packet(.video, at: .zero), .zero), (packet(.audio, at: .zero), late),
      (packet(.video, at: .seconds(1)), .seconds(1)),
      (packet(.audio, at: .milliseconds(990)), .milliseconds(990) + late),
      (packet(.video, at: .seconds(2)), .seconds(32)),
    ]
    let sent = try send(packets, pauses: [4]).filter { !$0.isReport && $0.track == 0 }
    let first = try #require(sent.first).timestamp
    #expect(Set(sent.map { $0.timestamp &- first }) == [0, 90_000, 2_880_000])
  }

  @Test func `the loss rate is that of the worse track`() throws {
    let tracks = try RTPTracks(try media.get().tracks, name: "x")
    #expect(tracks.lossRate == nil)
    var sources: [[UInt8]] = []
    for kind in [TrackKind.video, .audio] {
      try tracks.write(try packet(kind, at: .zero), at: .now, wallClock: .now) {
        packet, _, isReport in
        if !isReport { sources.append((8..<12).map { packet[$0] }) }
      }
    }
    for (source, lost) in [(sources.first, 64), (sources.last, 0)] as [([UInt8]?, UInt8)] {
      let report = [0x81, 201, 0, 7, 0, 0, 0, 1] + (source ?? []) + [lost] + [UInt8](repeating: 0, count: 19)
      for found in ReceptionReport.reports(in: report.span) { tracks.update(from: found) }
    }
    #expect(tracks.lossRate == 0.25)
  }
}
