import HoldfastMediaModel
import Testing

@Suite struct AnnexBWriterTests {
  private let avc: [UInt8] = [1, 66, 0, 30, 0xFF, 0xE1, 0, 5, 0x67, 66, 0, 30, 9, 1, 0, 3, 0x68, 0xCE, 1]
  private let hevc: [UInt8] = {
    let beginning: [UInt8] = [1] + [UInt8](repeating: 0, count: 21) + [3]
    return [32, 33, 34].reduce(into: beginning) { $0 += [0x80 | $1, 0, 1, 0, 2, $1 << 1, 1] }
  }()

  /// Units with a start code in front of each.
  private func stream(_ units: [[UInt8]]) -> [UInt8] { units.reduce(into: []) { $0 += [0, 0, 0, 1] + $1 } }

  private func track(_ codec: Codec, _ headers: [UInt8]) -> Track {
    let format = VideoFormat(size: PictureSize(width: 64, height: 64), frameRate: .thirty)
    return Track(codec: codec, format: .video(format), headers: headers, bitrate: 0)
  }

  private func packet(_ bytes: [UInt8], isKeyframe: Bool = false, headers: [UInt8]? = nil) -> MediaPacket {
    MediaPacket(
      track: .video, decodeTime: .zero, presentationTime: .zero, duration: .zero, isKeyframe: isKeyframe,
      bytes: bytes, headers: headers)
  }

  @Test func `a keyframe begins with a delimiter and the parameter sets`() throws {
    var writer = try #require(AnnexBWriter(track(.h264, avc)))
    writer.write(packet([0, 0, 0, 2, 0x65, 7], isKeyframe: true))
    #expect(writer.bytes == stream([[9, 0xF0], [0x67, 66, 0, 30, 9], [0x68, 0xCE, 1], [0x65, 7]]))
  }

  @Test func `a picture that is no keyframe begins with one delimiter alone`() throws {
    var writer = try #require(AnnexBWriter(track(.h264, avc)))
    writer.write(packet([0, 0, 0, 2, 9, 0x10, 0, 0, 0, 2, 0x41, 7, 0, 0, 0, 1, 0x41]))
    #expect(writer.bytes == [0, 0, 0, 1, 9, 0xF0, 0, 0, 0, 1, 0x41, 7, 0, 0, 0, 1, 0x41])
  }

  @Test func `a keyframe with headers of its own begins with those, and the next one again with the track's`()
    throws
  {
    var writer = try #require(AnnexBWriter(track(.h264, avc)))
    let other: [UInt8] = [1, 66, 0, 31, 0xFF, 0xE1, 0, 2, 0x67, 77, 1, 0, 2, 0x68, 0xCF]
    let picture: [UInt8] = [0, 0, 0, 1, 0x65]
    writer.write(packet(picture, isKeyframe: true, headers: other))
    #expect(writer.bytes == stream([[9, 0xF0], [0x67, 77], [0x68, 0xCF], [0x65]]))
    writer.write(packet(picture, isKeyframe: true))
    #expect(writer.bytes == stream([[9, 0xF0], [0x67, 66, 0, 30, 9], [0x68, 0xCE, 1], [0x65]]))
  }

  @Test func `units can have the parameter sets of their headers before them, with lengths`() {
    let with: [UInt8] = [0, 0, 0, 5, 0x67, 66, 0, 30, 9, 0, 0, 0, 3, 0x68, 0xCE, 1, 0, 0, 0, 1, 0x65]
    #expect(Codec.h264.withParameterSets(of: avc, [0, 0, 0, 1, 0x65]) == with)
    #expect(Codec.av1.withParameterSets(of: avc, [10, 1]) == [10, 1])
  }

  @Test func `an HEVC keyframe begins with its delimiter and three parameter sets`() throws {
    var writer = try #require(AnnexBWriter(track(.hevc, hevc)))
    writer.write(packet([0, 0, 0, 3, 70, 1, 0x50, 0, 0, 0, 3, 0x26, 1, 9], isKeyframe: true))
    #expect(writer.bytes == stream([[70, 1, 0x50], [64, 1], [66, 1], [68, 1], [0x26, 1, 9]]))
  }

  @Test(
    arguments: [
      [], [0], [0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 9, 0x41], [0xFF, 0xFF, 0xFF, 0xFF, 0x41],
      [0, 0, 0, 0, 0, 0, 0],
    ] as [[UInt8]])
  func `an impossible unit length ends the packet`(bytes: [UInt8]) throws {
    var writer = try #require(AnnexBWriter(track(.h264, avc)))
    writer.write(packet([0, 0, 0, 1, 0x41] + bytes))
    #expect(writer.bytes == [0, 0, 0, 1, 9, 0xF0, 0, 0, 0, 1, 0x41])
  }

  @Test func `headers and units survive conversion to Annex B and back`() throws {
    var writer = try #require(AnnexBWriter(track(.h264, avc)))
    let bytes: [UInt8] = [0, 0, 0, 4, 0x65, 0, 0, 3, 0, 0, 0, 2, 0x65, 1]
    writer.write(packet(bytes, isKeyframe: true))
    let stream = writer.bytes
    #expect(Codec.h264.headers(annexB: stream.span) == avc)
    #expect(Codec.h264.packetBytes(annexB: stream.span) == [0, 0, 0, 2, 9, 0xF0] + bytes)
  }

  @Test(arguments: [Codec.h264, .hevc]) func `headers truncated anywhere are refused`(codec: Codec) {
    let whole = codec == .h264 ? avc : hevc
    for length in 0..<whole.count {
      #expect(codec.parameterSets(headers: Array(whole.prefix(length))) == nil)
    }
    #expect(codec.parameterSets(headers: whole) != nil)
    #expect(codec.parameterSets(headers: [0] + whole.dropFirst()) == nil)
  }

  @Test func `codecs without NAL units have no Annex B form`() {
    #expect(AnnexBWriter(track(.av1, avc)) == nil)
  }
}
