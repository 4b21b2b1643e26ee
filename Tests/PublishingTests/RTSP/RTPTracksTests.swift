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
    var wallClock: UInt32 { number(8..<12) }
  }

  private let media = Result { try EncodedMedia.inOrder.get() }

  /// What goes out for packets that are due so many seconds after the first one, the media standing still in between.
  private func send(_ packets: [(MediaPacket, at: Int64)], pauses: Set<Int> = []) throws -> [Sent] {
    let tracks = try RTPTracks(try media.get().tracks, name: "x")
    var sent: [Sent] = []
    for (index, (packet, seconds)) in packets.enumerated() {
      if pauses.contains(index) { tracks.pause() }
      let time = NTPTime(wallClockNanoseconds: seconds * 1_000_000_000)
      try tracks.write(packet, at: MonotonicTime(nanoseconds: seconds * 1_000_000_000), wallClock: time) {
        sent.append(Sent(bytes: $0.withUnsafeBufferPointer { Array($0) }, track: $1, isReport: $2))
      }
    }
    return sent
  }

  private func packet(_ kind: TrackKind, at seconds: Int64) throws -> MediaPacket {
    var packet = try #require(try media.get().packets.first { $0.track == kind })
    packet.decodeTime = .seconds(seconds)
    packet.presentationTime = .seconds(seconds)
    return packet
  }

  @Test func `each new track triggers reports for all tracks that have begun`() throws {
    let sent = try send([(packet(.video, at: 0), 0), (packet(.audio, at: 0), 0), (packet(.video, at: 1), 1)])
    #expect(sent.filter(\.isReport).map(\.track) == [0, 0, 1])
    #expect(sent.first?.isReport == false)
  }

  @Test func `reports continue while media flows`() throws {
    let packets = try (0..<12).map { (try packet(.video, at: $0), $0) }
    let sent = try send(packets)
    #expect(sent.filter(\.isReport).count == 3)
  }

  @Test func `all reports of a track relate media time and wall clock alike`() throws {
    let packets = try (0..<12).flatMap {
      [(try packet(.video, at: $0), $0), (try packet(.audio, at: $0), $0)]
    }
    let reports = try send(packets).filter(\.isReport)
    for (track, rate) in [(0, 90_000), (1, 48_000)] as [(Int, UInt32)] {
      let own = reports.filter { $0.track == track }
      #expect(own.count >= 3)
      #expect(Set(own.map { $0.timestamp &- $0.wallClock &* rate }).count == 1)
    }
  }

  @Test func `RTP time follows the wall clock during a pause`() throws {
    let sent = try send(
      [(packet(.video, at: 0), 0), (packet(.video, at: 1), 1), (packet(.video, at: 2), 32)], pauses: [2])
    let first = try #require(sent.first).timestamp
    let times = Set(sent.filter { !$0.isReport }.map { $0.timestamp &- first })
    #expect(times == [0, 90_000, 2_880_000])
    let relations = Set(sent.filter { $0.isReport }.map { $0.timestamp &- $0.wallClock &* 90_000 })
    #expect(relations.count == 1)
  }

  @Test func `the loss rate is that of the worse track`() throws {
    let tracks = try RTPTracks(try media.get().tracks, name: "x")
    #expect(tracks.lossRate == nil)
    var sources: [[UInt8]] = []
    for kind in [TrackKind.video, .audio] {
      try tracks.write(try packet(kind, at: 0), at: .now, wallClock: NTPTime(wallClockNanoseconds: 0)) {
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
