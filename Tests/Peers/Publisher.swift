import Foundation
import TestSupport

/// The ffmpeg command as a publisher: a test picture, a keyframe each second, and a tone.
final class Publisher {
  private let process = Process()

  /// Publishes for `seconds`, in real time; `format` is `flv`, `rtsp` or `mpegts`.
  init(_ format: String, to address: String, seconds: Int = 30, environment: [String: String] = [:]) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      [
        "ffmpeg", "-nostdin", "-v", "error", "-re", "-f", "lavfi", "-i", "testsrc2=size=160x120:rate=15",
        "-re", "-f",
        "lavfi", "-i", "sine=frequency=440:sample_rate=44100", "-t", "\(seconds)", "-c:v", "libx264",
        "-preset",
        "ultrafast", "-tune", "zerolatency", "-g", "15", "-pix_fmt", "yuv420p", "-c:a", "aac", "-f", format,
      ] + (format == "rtsp" ? ["-rtsp_transport", "tcp"] : []) + [address]
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardError = FileHandle.nullDevice
    try process.start()
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  var isRunning: Bool { process.isRunning }

  /// Waits until it has ended; its exit status.
  func end() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Ends it cleanly.
  func stop() {
    kill(process.processIdentifier, SIGTERM)
    process.waitUntilExit()
  }
}
