import HoldfastFFmpeg
import HoldfastMediaModel
import TestSupport
import Testing

/// Our `avcC` and `hvcC` compared with those that FFmpeg's MP4 muxer writes for the same stream.
@Suite struct HeadersTests {
  @Test(arguments: [
    ("libx264", "yuv420p", ["-profile:v", "baseline"], "h264"),
    ("libx264", "yuv420p", ["-profile:v", "main"], "h264"),
    ("libx264", "yuv420p", ["-profile:v", "high"], "h264"), ("libx264", "yuv422p", [], "h264"),
    ("libx264", "yuv444p", [], "h264"), ("libx265", "yuv420p", [], "hevc"),
    ("libx265", "yuv422p10le", [], "hevc"), ("libx265", "yuv444p", [], "hevc"),
  ])
  func `the headers match those that FFmpeg's MP4 muxer writes`(
    encoder: String, pixels: String, options: [String], format: String
  ) throws {
    let folder = ScratchFolder()
    let (raw, mp4) = (folder.file("stream.\(format)"), folder.file("stream.mp4"))
    let source = ["-f", "lavfi", "-i", "testsrc2=size=176x144:rate=10", "-frames:v", "3", "-c:v", encoder]
    try Tool.run(
      ["ffmpeg", "-v", "error"] + source + options + [
        "-pix_fmt", pixels, "-x265-params", "log-level=none", "-bsf:v", "dump_extra", "-f", format, raw,
      ])
    try Tool.run(["ffmpeg", "-v", "error", "-i", raw, "-c", "copy", mp4])
    var ours = try PacketReader(path: raw, kind: .video)
    var theirs = try PacketReader(path: mp4, kind: .video)
    #expect(meaning(ours.track.headers, format) == meaning(theirs.track.headers, format))
    let (first, other) = (try #require(try ours.next()), try #require(try theirs.next()))
    #expect(first.isKeyframe && other.isKeyframe)
    #expect(!first.bytes.isEmpty && other.bytes.count >= first.bytes.count)
  }

  /// Without the fields that a writer may leave open: parallelism, frame rate, segmentation; and FFmpeg's copies of the
  /// encoder's advertisement.
  private func meaning(_ record: [UInt8], _ format: String) -> [UInt8] {
    guard format == "hevc" else { return record }
    return Array(record[0..<13]) + Array(record[16..<19]) + parameterSets(record)
  }

  private func parameterSets(_ record: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var index = 23
    for _ in 0..<record[22] {
      let kind = record[index] & 0x3F
      let count = Int(record[index + 1]) << 8 | Int(record[index + 2])
      index += 3
      for _ in 0..<count {
        let length = Int(record[index]) << 8 | Int(record[index + 1])
        if (32...34).contains(kind) { result += [kind] + record[index..<(index + 2 + length)] }
        index += 2 + length
      }
    }
    return result
  }
}
