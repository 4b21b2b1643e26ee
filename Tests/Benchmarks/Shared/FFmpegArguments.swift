/// Arguments of the ffmpeg command, for what it is compared in.
enum FFmpegArguments {
  static let quiet = ["-nostdin", "-v", "error", "-y"]

  /// A test picture of 720p and a tone; `pace` is `["-re"]` for their own speed.
  static func signals(_ pace: [String] = []) -> [String] {
    pace + ["-f", "lavfi", "-i", "testsrc2=size=1280x720:rate=30"] + pace + [
      "-f", "lavfi", "-i", "sine=frequency=440:beep_factor=4:sample_rate=48000",
    ]
  }

  static func encoding(_ rate: String) -> [String] {
    [
      "-c:v", "libx264", "-preset", "veryfast", "-tune", "zerolatency", "-pix_fmt", "yuv420p", "-b:v", rate,
      "-maxrate", rate, "-bufsize", rate, "-g", "60", "-sc_threshold", "0", "-c:a", "aac", "-b:a", "128k",
      "-ac", "2",
    ]
  }
}
