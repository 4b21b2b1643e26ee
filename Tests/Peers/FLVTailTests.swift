import Foundation
import TestSupport
import TestTraits
import Testing

@Suite(.realTime) struct FLVTailTests {
  private let folder = ScratchFolder()
  private let header: [UInt8] = Array("FLV".utf8) + [1, 5, 0, 0, 0, 9, 0, 0, 0, 0]

  private func tag(_ type: UInt8, at time: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let length = UInt8(payload.count)
    return [type, 0, 0, length, 0, 0, time, 0, 0, 0, 0] + payload + [0, 0, 0, length + 11]
  }

  /// The tags of a file with these bytes after its header.
  private func tags(of bytes: [UInt8]) throws -> [RecordedTag] {
    let path = folder.file("file.flv")
    try Data(header + bytes).write(to: URL(fileURLWithPath: path))
    return FLVTail(path: path).finish()
  }

  @Test func `headers, keyframes, other pictures and sound are distinguished`() throws {
    let seen = try tags(
      of: tag(18, at: 0, [2]) + tag(9, at: 0, [0x17, 0, 0, 0, 0]) + tag(8, at: 0, [0xaf, 0])
        + tag(9, at: 40, [0x17, 1, 0, 0, 0]) + tag(9, at: 73, [0x27, 1, 0, 0, 0]) + tag(8, at: 90, [0xaf, 1]))
    #expect(seen.map(\.kind) == [.data, .video, .audio, .video, .video, .audio])
    #expect(seen.map(\.isHeader) == [true, true, true, false, false, false])
    #expect(seen.map(\.isKeyframe) == [false, false, false, true, false, false])
    #expect(seen.map(\.timestamp) == [0, 0, 0, 40, 73, 90])
  }

  @Test func `headers and keyframes in tags with a FourCC are distinguished`() throws {
    let fourCC = Array("hvc1".utf8)
    let seen = try tags(
      of: tag(9, at: 0, [0x90] + fourCC) + tag(9, at: 1, [0x93] + fourCC) + tag(9, at: 2, [0xa3] + fourCC))
    #expect(seen.map { [$0.isHeader, $0.isKeyframe] } == [[true, false], [false, true], [false, false]])
  }

  // The server writes a tag header at once.
  @Test(arguments: 11..<20)
  func `a tag truncated by a kill of the server is skipped`(count: Int) throws {
    let first = tag(9, at: 40, [0x17, 1, 0, 0, 0])
    let seen = try tags(of: first + first.prefix(count) + tag(9, at: 80, [0x27, 1, 0, 0, 0]))
    #expect(seen.map(\.timestamp) == [40, 80])
  }
}
