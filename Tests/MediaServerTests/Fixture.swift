import TestSupport

/// Files to publish, made once for all tests.
enum Fixture {
  private static let folder = ScratchFolder()

  /// Two seconds of H.264 with B-frames, and AAC.
  private static let plain = Result { try make("plain.mp4", "-c:v", "libx264", "-bf", "2", "-c:a", "aac") }
  /// Two seconds of what only Enhanced RTMP carries.
  private static let enhanced = Result {
    try make("enhanced.mkv", "-c:v", "libx265", "-x265-params", "log-level=none", "-c:a", "libopus")
  }

  static func h264AndAAC() throws -> String { try plain.get() }
  static func hevcAndOpus() throws -> String { try enhanced.get() }

  private static func make(_ name: String, _ codecs: String...) throws -> String {
    let path = folder.file(name)
    let input = [
      "ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i", "testsrc=size=160x120:rate=25", "-f", "lavfi",
      "-i", "sine=frequency=440:sample_rate=48000", "-t", "2", "-g", "25", "-pix_fmt", "yuv420p",
    ]
    try Tool.run(input + codecs + ["-y", path])
    return path
  }
}
