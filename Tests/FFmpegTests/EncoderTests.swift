import HoldfastFFmpeg
import HoldfastMediaModel
import Testing

@Suite struct EncoderTests {
  private let size = PictureSize(width: 320, height: 180)

  private func encoder(
    _ codec: Codec = .h264, _ implementation: EncoderImplementation = .software, bitrate: Int = 500_000,
    gop: MediaTime = .seconds(2)
  ) throws -> VideoEncoder {
    try VideoEncoder(
      implementation,
      VideoEncoder.Settings(
        codec: codec, format: VideoFormat(size: size, frameRate: .thirty), bitrate: bitrate,
        keyframeInterval: gop), source: .yuv420p)
  }

  /// A picture of noise: it takes all the bits that it may have.
  private func noise(_ seed: UInt64) throws -> Frame {
    let frame = try Frame(size: size, format: .yuv420p)
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    for plane in 0..<3 {
      frame.withPlane(plane) { bytes, _ in
        for index in bytes.indices {
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          bytes[index] = UInt8(truncatingIfNeeded: state >> 56)
        }
      }
    }
    return frame
  }

  private func encode(
    _ encoder: inout VideoEncoder, frames: Range<Int>, keyframes: Set<Int> = []
  ) throws -> [MediaPacket] {
    try frames.flatMap { number in
      try encoder.encode(
        noise(UInt64(number)), at: FrameRate.thirty.time(ofFrame: Int64(number)),
        isKeyframeForced: keyframes.contains(number))
    }
  }

  @Test(arguments: [Codec.h264, .hevc, .av1])
  func `each picture is encoded at once and keeps its time`(codec: Codec) throws {
    var encoder = try encoder(codec)
    for number in 0..<10 {
      let packets = try encode(&encoder, frames: number..<(number + 1))
      #expect(packets.map { $0.presentationTime.ticks(timescale: 90_000) } == [Int64(number) * 3000])
      #expect(packets.map(\.decodeTime) == packets.map(\.presentationTime))
      #expect(packets.map(\.isKeyframe) == [number == 0])
    }
    let (track, rest) = (encoder.track, try encoder.finish())
    #expect((track?.codec, rest) == (codec, []))
  }

  @Test func `AV1's headers are known before the first picture, and are the same as with it`() throws {
    var encoder = try encoder(.av1)
    let before = try #require(encoder.track?.headers)
    let first = try #require(try encode(&encoder, frames: 0..<1).first)
    #expect(Codec.av1.headers(annexB: first.bytes.span) == before)
  }

  @Test(arguments: EncoderSpeed.allCases, EncoderSpeed.allCases)
  func `an encoder of another speed continues the track with a keyframe`(
    first: EncoderSpeed, second: EncoderSpeed
  ) throws {
    var current = try replacement(of: encoder(), by: first)
    let track = current.track
    _ = try encode(&current, frames: 0..<5)
    var other = try replacement(of: current, by: second)
    let (rest, next) = (try current.finish(), other.track)
    #expect((rest, next) == ([], track))
    let packets: [MediaPacket] = try encode(&other, frames: 5..<10)
    #expect(packets.map(\.isKeyframe) == [true, false, false, false, false])
    #expect(packets.first?.decodeTime == FrameRate.thirty.time(ofFrame: 5))
  }

  private func replacement(
    of encoder: borrowing VideoEncoder, by speed: EncoderSpeed
  ) throws -> VideoEncoder {
    guard let other = try encoder.replaced(by: speed) else { throw NotReplaced() }
    return other
  }

  private struct NotReplaced: Error {}

  @Test func `only x264 changes its speed within a track`() {
    #expect(throws: NotReplaced.self) { _ = try replacement(of: try encoder(.hevc), by: .fastest) }
  }

  @Test(arguments: [Codec.h264, .hevc, .av1])
  func `an encoder of another bitrate continues with a keyframe, which has its headers`(codec: Codec) throws {
    var current = try encoder(codec, bitrate: 6_000_000)
    let before = try encode(&current, frames: 0..<5)
    var other = try current.replaced(atBitrate: 100_000)
    let packets = try encode(&other, frames: 5..<10)
    let (old, new) = (current.track?.headers, other.track?.headers)
    #expect(old != nil && before.map(\.headers) == [old, nil, nil, nil, nil])
    #expect(new != nil && packets.map(\.headers) == [new, nil, nil, nil, nil])
    #expect(packets.map(\.isKeyframe) == [true, false, false, false, false])
    #expect(packets.first?.decodeTime == FrameRate.thirty.time(ofFrame: 5))
    // The level is that of the bitrate.
    if codec != .av1 { #expect(old != new) }
  }

  @Test(arguments: [Codec.h264, .hevc, .av1])
  func `a requested keyframe is encoded, and encoding continues`(codec: Codec) throws {
    var encoder = try encoder(codec)
    let packets = try encode(&encoder, frames: 0..<20, keyframes: [7, 13])
    #expect(packets.indices.filter { packets[$0].isKeyframe } == [0, 7, 13])
  }

  @Test func `keyframes come at the configured interval`() throws {
    var encoder = try encoder(gop: .milliseconds(500))
    let packets = try encode(&encoder, frames: 0..<60)
    #expect(packets.indices.filter { packets[$0].isKeyframe } == [0, 15, 30, 45])
  }

  @Test func `a bitrate change takes effect without a keyframe, or is reported as unsupported`() throws {
    var encoder = try encoder(bitrate: 1_000_000, gop: .seconds(60))
    func rate(_ packets: [MediaPacket]) -> Int {
      packets.reduce(0) { $0 + $1.bytes.count * 8 } * 30 / packets.count
    }
    let high = try encode(&encoder, frames: 0..<120)
    var other = try self.encoder(.hevc)
    let changes = [encoder.setBitrate(250_000), other.setBitrate(100_000)]
    #expect(changes == [true, false])
    _ = try encode(&encoder, frames: 120..<210)
    let low = try encode(&encoder, frames: 210..<300)
    #expect(rate(Array(high.suffix(60))) > 700_000)
    #expect(rate(low) < 400_000)
    #expect(low.allSatisfy { !$0.isKeyframe })
  }

  @Test(arguments: [Codec.aac, .opus])
  func `encoded sound starts near 0, has no gaps and keeps its length`(codec: Codec) throws {
    let format = AudioFormat(sampleRate: 48_000, channels: 2)
    var encoder = try AudioEncoder(codec, format: format, bitrate: 96_000)
    var packets: [MediaPacket] = []
    for _ in 0..<100 { packets += try encoder.encode([Float](repeating: 0.1, count: 960)) }
    packets += try encoder.finish()
    let first = try #require(packets.first)
    #expect(first.presentationTime >= .zero && first.presentationTime < .milliseconds(21))
    for (packet, next) in zip(packets, packets.dropFirst()) {
      #expect(abs((next.decodeTime - packet.decodeTime - packet.duration).nanoseconds) <= 1)
    }
    let end = try #require(packets.last.map { $0.presentationTime + $0.duration })
    #expect(end >= .milliseconds(979) && end <= .milliseconds(1021))
  }

  @Test func `a flush returns all whole frames, and the sound after it follows without a gap`() throws {
    let format = AudioFormat(sampleRate: 48_000, channels: 2)
    var encoder = try AudioEncoder(.aac, format: format, bitrate: 96_000)
    #expect(try encoder.flush().isEmpty)
    var packets: [MediaPacket] = []
    for round in 1...10 {
      for _ in 0..<7 { packets += try encoder.encode([Float](repeating: 0.1, count: 2 * 1000)) }
      packets += try encoder.flush()
      // A flush without new sound has nothing to return.
      #expect(try encoder.flush().isEmpty)
      let end = try #require(packets.last.map { $0.presentationTime + $0.duration })
      #expect(end.ticks(timescale: 48_000) == Int64(round * 7000 / 1024 * 1024))
    }
    packets += try encoder.finish()
    let stamps = packets.map { $0.presentationTime.ticks(timescale: 48_000) }
    let wanted: [Int64] = (0...Int64(70_000 / 1024)).map { $0 * 1024 }
    #expect(stamps == wanted)
  }

  @Test(
    arguments: [
      (.h264, "-", [.software]), (.h264, "/dev", [.vaapi, .qsv, .nvenc, .v4l2m2m, .software]),
      (.hevc, "/dev/nvidia", [.nvenc, .software]), (.av1, "/dev", [.software]),
    ] as [(Codec, String, [EncoderImplementation])])
  func `hardware encoders are tried where their device exists, and software last`(
    codec: Codec, devices: String, candidates: [EncoderImplementation]
  ) {
    #expect(EncoderImplementation.candidates(for: codec) { $0.hasPrefix(devices) } == candidates)
  }

  @Test func `an encoder whose device is missing fails with an error that names it`() {
    let error = #expect(throws: FFmpegError.self) { _ = try encoder(.h264, .v4l2m2m) }
    #expect(error?.operation.contains("v4l2m2m") == true)
  }
}
