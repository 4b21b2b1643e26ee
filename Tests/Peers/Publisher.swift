import Glibc
import TestSupport

/// The ffmpeg command publishing a test picture, with a keyframe each second, and a tone.
final class Publisher {
  private let tool: RunningTool

  /// `format` is `flv`, `rtsp` or `mpegts`.
  init(_ format: String, to address: String, seconds: Int = 30) throws {
    tool = try RunningTool(
      [
        "ffmpeg", "-nostdin", "-v", "error", "-re", "-f", "lavfi", "-i", "testsrc2=size=160x120:rate=15",
        "-re", "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=44100", "-t", "\(seconds)", "-c:v",
        "libx264", "-preset", "ultrafast", "-tune", "zerolatency", "-g", "15", "-pix_fmt", "yuv420p",
        "-c:a", "aac", "-f", format,
      ] + (format == "rtsp" ? ["-rtsp_transport", "tcp"] : []) + [address])
  }

  var isRunning: Bool { tool.isRunning }

  /// Waits for the end; returns the exit status.
  func end() -> Int32 { tool.result().status }

  func stop() {
    tool.signal(SIGTERM)
    tool.result()
  }
}
