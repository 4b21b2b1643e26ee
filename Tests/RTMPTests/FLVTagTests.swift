import HoldfastMediaModel
import Testing

@testable import HoldfastRTMP

@Suite struct FLVTagTests {
  private static func bytes(_ head: ChunkWriter.Head) -> [UInt8] { (0..<head.count).map { head[$0] } }

  private static func tag(_ codec: Codec, _ bytes: [UInt8]) -> FLVTag {
    codec.kind == .video ? FLVTag(video: bytes) : FLVTag(audio: bytes)
  }

  @Test(arguments: Codec.allCases) func `a codec's headers are read as written`(codec: Codec) {
    let head = Self.bytes(FLVTagHead.headers(codec))
    #expect(Self.tag(codec, head + [1, 2, 3]) == .headers(codec, at: head.count))
  }

  @Test(arguments: [.h264, .hevc] as [Codec], [0, 1, 66, -1, -66, 8_388_607, -8_388_608] as [Int32])
  func `composition times of pictures are read as written, even negative ones`(
    codec: Codec, composition: Int32
  ) {
    for isKeyframe in [true, false] {
      let head = Self.bytes(FLVTagHead.packet(codec, isKeyframe: isKeyframe, composition: composition))
      #expect(
        Self.tag(codec, head + [9])
          == .packet(codec, isKeyframe: isKeyframe, composition: composition, at: head.count))
    }
  }

  @Test(arguments: [.av1, .aac, .opus] as [Codec])
  func `packets without a composition time are read as written`(codec: Codec) {
    let head = Self.bytes(FLVTagHead.packet(codec, isKeyframe: true, composition: 0))
    #expect(Self.tag(codec, head + [9]) == .packet(codec, isKeyframe: true, composition: 0, at: head.count))
  }

  @Test(
    arguments: [
      (.h264, true, 0, [0x17, 1, 0, 0, 0]), (.h264, false, 33, [0x27, 1, 0, 0, 33]),
      (.h264, false, -33, [0x27, 1, 0xFF, 0xFF, 0xDF]), (.aac, true, 0, [0xAF, 1]),
      (.hevc, true, 0, [0x93, 0x68, 0x76, 0x63, 0x31]),
      (.hevc, false, 33, [0xA1, 0x68, 0x76, 0x63, 0x31, 0, 0, 33]),
      (.av1, true, 0, [0x91, 0x61, 0x76, 0x30, 0x31]), (.opus, true, 0, [0x91, 0x4F, 0x70, 0x75, 0x73]),
    ] as [(Codec, Bool, Int32, [UInt8])])
  func `packets begin as specified for their codec`(
    codec: Codec, isKeyframe: Bool, composition: Int32, expected: [UInt8]
  ) {
    #expect(
      Self.bytes(FLVTagHead.packet(codec, isKeyframe: isKeyframe, composition: composition)) == expected)
  }

  @Test func `HEVC with its old codec number is understood`() {
    #expect(FLVTag(video: [0x1C, 0, 0, 0, 0, 1]) == .headers(.hevc, at: 5))
    #expect(FLVTag(video: [0x2C, 1, 0, 0, 5, 1]) == .packet(.hevc, isKeyframe: false, composition: 5, at: 5))
  }

  @Test(
    arguments: [
      [], [0x17], [0x17, 1, 0, 0], [0x17, 2, 0, 0, 0], [0x12, 0, 0, 0, 0, 0], [0x91],
      [0x91, 0x68, 0x76, 0x63], [0x91, 0x68, 0x76, 0x63, 0x31, 0, 0], [0x91, 1, 2, 3, 4, 5, 6, 7],
      [0x92, 0x68, 0x76, 0x63, 0x31], [0x94, 0x68, 0x76, 0x63, 0x31], [0x91, 0x4F, 0x70, 0x75, 0x73],
    ] as [[UInt8]])
  func `unreadable video is classified as other`(bytes: [UInt8]) {
    #expect(FLVTag(video: bytes) == .other)
  }

  @Test(
    arguments: [
      [], [0xAF], [0xAF, 2, 0], [0x2F, 1, 0], [0x91], [0x91, 0x4F, 0x70, 0x75],
      [0x92, 0x4F, 0x70, 0x75, 0x73], [0x91, 0x68, 0x76, 0x63, 0x31],
    ] as [[UInt8]])
  func `unreadable audio is classified as other`(bytes: [UInt8]) {
    #expect(FLVTag(audio: bytes) == .other)
  }
}
