import HoldfastFFmpeg
import HoldfastMediaModel
import TestSupport
import Testing

@testable import HoldfastRecording

@Suite struct FragmentWriterTests {
  private let video = Track(
    codec: .h264,
    format: .video(VideoFormat(size: PictureSize(width: 64, height: 64), frameRate: .thirty)),
    headers: [1, 66, 0, 30, 0xFF, 0xE1, 0, 5, 0x67, 66, 0, 30, 9, 1, 0, 3, 0x68, 0xCE, 1], bitrate: 0)

  private func write(_ ticks: [Int64], to path: String) throws {
    var writer = try FragmentWriter(path: path, tracks: [video])
    for (number, tick) in ticks.enumerated() {
      let time = MediaTime(ticks: tick, timescale: 90_000)
      try writer.write(
        MediaPacket(
          track: .video, decodeTime: time, presentationTime: time, duration: FrameRate.thirty.frameDuration,
          isKeyframe: number == 0, bytes: [0, 0, 0, 2, 0x65, UInt8(truncatingIfNeeded: number)]))
    }
    try writer.finish()
  }

  private func read(_ path: String) throws -> [Int64] {
    var reader = try PacketReader(path: path, kind: .video)
    var ticks: [Int64] = []
    while let packet = try reader.next() { ticks.append(packet.decodeTime.ticks(timescale: 90_000)) }
    return ticks
  }

  @Test func `times stay as they are, however unsteady the camera`() throws {
    let folder = try ScratchFolder()
    let jitter: [Int64] = [0, 400, -300, 1200, -1100, 50, 7]
    let ticks = (0..<300).map { Int64($0) * 3000 + ($0 == 0 ? 0 : jitter[$0 % jitter.count]) }
    try write(ticks, to: folder.file("a.mp4"))
    let result = try read(folder.file("a.mp4"))
    #expect(zip(result, ticks).filter { $0 != $1 }.map { [$0, $1] } == [])
    #expect(result.count == ticks.count)
  }

  @Test(arguments: [1, 14, 15, 16, 17, 29, 30, 31])
  func `times stay as they are behind a hole, wherever it falls`(frame: Int) throws {
    let folder = try ScratchFolder()
    let ticks = (0..<100).map { Int64($0) * 3000 + ($0 >= frame ? 123_456 : 0) }
    try write(ticks, to: folder.file("a.mp4"))
    let result = try read(folder.file("a.mp4"))
    #expect(zip(result, ticks).filter { $0 != $1 }.map { [$0, $1] } == [])
    #expect(result.count == ticks.count)
  }
}
