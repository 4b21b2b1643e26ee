import HoldfastFFmpeg
import HoldfastMediaModel
import TestSupport
import Testing

@Suite struct RTPPacketizerTests {
  /// One packet, taken apart.
  private struct Packet {
    let bytes: [UInt8]

    private func number(_ range: Range<Int>) -> UInt32 { bytes[range].reduce(0) { $0 << 8 | UInt32($1) } }
    var isLast: Bool { bytes[1] & 0x80 != 0 }
    var payloadType: UInt8 { bytes[1] & 0x7F }
    var sequence: UInt32 { number(2..<4) }
    var timestamp: UInt32 { number(4..<8) }
    var source: UInt32 { number(8..<12) }
    var payload: ArraySlice<UInt8> { bytes.dropFirst(12) }
  }

  private let video = SampleTracks.video
  private let audio = SampleTracks.audio

  private func packet(_ kind: TrackKind, at time: MediaTime, _ bytes: [UInt8]) -> MediaPacket {
    MediaPacket(
      track: kind, decodeTime: time, presentationTime: time, duration: .zero, isKeyframe: true, bytes: bytes)
  }

  private func picture(_ size: Int) -> [UInt8] {
    let length = UInt32(size)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + [0x65]
      + (1..<size).map { UInt8(truncatingIfNeeded: $0) }
  }

  private func pack(
    _ track: Track, _ packets: [MediaPacket], timestamp: UInt32 = 1000, sequence: UInt16 = 7
  ) throws -> [[Packet]] {
    var packetizer = try RTPPacketizer(
      track: track, payloadType: 96, packetSize: 1400, source: 0xABCD, timestamp: timestamp,
      sequence: sequence)
    return try packets.map { packet in
      var made: [Packet] = []
      try packetizer.write(packet) { span in
        made.append(Packet(bytes: span.withUnsafeBufferPointer { Array($0) }))
      }
      return made
    }
  }

  @Test func `a large picture is split into packets that fit, with the last one marked`() throws {
    let made = try #require(try pack(video, [packet(.video, at: .zero, picture(5000))]).first)
    #expect(made.allSatisfy { $0.bytes.count <= 1400 })
    #expect(made.map(\.isLast) == [false, false, false, true])
    let rest: [UInt8] = made.flatMap { $0.payload.dropFirst(2) }
    #expect([0x65] + rest == Array(picture(5000).dropFirst(4)))
  }

  @Test func `a track's packets are numbered without gaps, even when the numbers wrap around`() throws {
    let packets = (0..<10).map { packet(.video, at: .milliseconds($0 * 40), picture(3000)) }
    let made = try pack(video, packets, sequence: 65530).flatMap { $0 }
    let numbers = made.indices.map { (index: Int) -> UInt32 in UInt32((65530 + index) % 65536) }
    #expect(made.map(\.sequence) == numbers)
  }

  @Test func `presentation times count from the first timestamp, even when it wraps around`() throws {
    var packets = [0, 40, 1000].map { packet(.video, at: .milliseconds($0), picture(100)) }
    packets[1].presentationTime = .milliseconds(80)
    let made = try pack(video, packets, timestamp: .max - 10).flatMap { $0 }
    #expect(made.map(\.timestamp) == [.max - 10, 7189, 89_989])
  }

  @Test func `parameter sets are in the stream from the first keyframe with others than the description's`()
    throws
  {
    let other: [UInt8] = [1, 66, 0, 31, 0xFF, 0xE1, 0, 2, 0x67, 77, 1, 0, 2, 0x68, 0xCF]
    var packets = (0..<4).map { packet(.video, at: .milliseconds($0 * 40), picture(100)) }
    packets[0].headers = video.headers
    packets[1].headers = other
    packets[2].headers = video.headers
    let payloads = try pack(video, packets).map { $0.flatMap { Array($0.payload) } }
    let own: [UInt8] = [0, 5, 0x67, 66, 0, 30, 9, 0, 3, 0x68, 0xCE, 1]
    let sets: [[UInt8]] = [[], [0, 2, 0x67, 77, 0, 2, 0x68, 0xCF], own, own]
    for (payload, sets) in zip(payloads, sets) {
      let picture = picture(100).dropFirst(4)
      // Small units travel together, behind a head of one byte (RFC 6184, 5.7.1).
      #expect(
        sets.isEmpty ? payload == Array(picture) : Array(payload.dropFirst()) == sets + [0, 100] + picture)
    }
  }

  @Test func `each piece of sound becomes one packet at once`() throws {
    let packets = (0..<5).map {
      packet(
        .audio, at: MediaTime(ticks: $0 * 1024, timescale: 48_000), [UInt8](repeating: UInt8($0), count: 200))
    }
    let made = try pack(audio, packets)
    #expect(made.map(\.count) == [1, 1, 1, 1, 1])
    let all = made.flatMap { $0 }
    #expect(all.map(\.timestamp) == [1000, 2024, 3048, 4072, 5096])
    #expect(all.map(\.sequence) == [7, 8, 9, 10, 11])
    #expect(made[3][0].payload.dropFirst(4) == [UInt8](repeating: 3, count: 200)[...])
  }

  @Test func `sound larger than a packet is split, and later sound follows it`() throws {
    let packets =
      [packet(.audio, at: .zero, [UInt8](repeating: 1, count: 3000))]
      + [packet(.audio, at: .milliseconds(20), [UInt8](repeating: 2, count: 100))]
    let made = try pack(audio, packets)
    #expect(made.map { $0.flatMap { Array($0.payload.dropFirst(4)) } } == packets.map(\.bytes))
  }

  @Test func `packets and bytes are counted for sender reports`() throws {
    var packetizer = try RTPPacketizer(
      track: video, payloadType: 96, packetSize: 1400, source: 1, timestamp: 0, sequence: 0)
    var sizes: [Int] = []
    try packetizer.write(packet(.video, at: .zero, picture(5000))) { sizes.append($0.count - 12) }
    #expect(packetizer.packetCount == UInt32(sizes.count))
    #expect(packetizer.octetCount == UInt32(sizes.reduce(0, +)))
    #expect(packetizer.timestamp(at: .seconds(1)) == 90_000)
  }

  @Test func `a codec that libavformat cannot packetize is refused with a reason`() {
    let track = Track(codec: .av1, format: video.format, headers: [10, 11], bitrate: 0)
    let error = #expect(throws: FFmpegError.self) { try pack(track, []) }
    #expect(error?.description.contains("AV1 over RTP") == true)
  }
}
