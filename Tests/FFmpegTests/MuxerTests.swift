import Foundation
import HoldfastFFmpeg
import HoldfastMediaModel
import TestSupport
import Testing

@Suite struct MuxerTests {
  private func track(headers: [UInt8]) -> Track {
    let format = VideoFormat(size: PictureSize(width: 64, height: 64), frameRate: .thirty)
    return Track(codec: .hevc, format: .video(format), headers: headers, bitrate: 0)
  }

  /// A transport stream of one packet, which holds `bytes`.
  private func stream(_ bytes: [UInt8]) throws -> [UInt8] {
    var muxer = try Muxer(container: "mpegts", tracks: [track(headers: [])])
    let packet = MediaPacket(
      track: .video, decodeTime: .zero, presentationTime: .zero, duration: .zero, isKeyframe: true,
      bytes: [0xEE, 0xEE, 0xEE, 0xEE])
    try muxer.write(packet, as: bytes)
    return muxer.takeBytes()
  }

  @Test func `a packet can be written with other bytes than its own`() throws {
    let bytes: [UInt8] = [0, 0, 0, 1, 70, 1, 0x50, 0, 0, 0, 1, 0x26, 1, 0xAB, 0xCD]
    let result = Data(try stream(bytes))
    #expect(result.range(of: Data(bytes)) != nil)
    #expect(result.range(of: Data([0xEE, 0xEE, 0xEE, 0xEE])) == nil)
  }

  @Test func `a transport stream without headers is not tagged hvc1`() throws {
    // The MP4 tag of a stream whose parameter sets are stored outside of it.
    #expect(try Data(stream([0, 0, 0, 1, 70, 1, 0x50])).range(of: Data("hvc1".utf8)) == nil)
  }
}
