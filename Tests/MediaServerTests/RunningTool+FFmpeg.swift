import TestSupport

extension RunningTool {
  /// Publishes a test picture and a tone in real time, as ffmpeg does it: type `live`.
  static func publisher(_ url: String, seconds: Int, bitrate: String = "300k") throws -> RunningTool {
    try RunningTool([
      "ffmpeg", "-v", "error", "-nostdin", "-re", "-f", "lavfi", "-i", "testsrc=size=160x120:rate=25", "-f",
      "lavfi", "-i", "sine=frequency=440:sample_rate=44100", "-t", "\(seconds)", "-pix_fmt", "yuv420p",
      "-c:v", "libx264", "-preset", "ultrafast", "-b:v", bitrate, "-g", "25", "-c:a", "aac", "-f", "flv", url,
    ])
  }

  /// Plays into a file without decoding, to the stream's end.
  static func player(_ url: String, into path: String) throws -> RunningTool {
    try RunningTool(["ffmpeg", "-v", "error", "-nostdin", "-i", url, "-c", "copy", "-y", path])
  }
}
