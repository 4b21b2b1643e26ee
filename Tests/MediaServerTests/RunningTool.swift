import Foundation

/// A command that runs beside the test, which ends it at the latest when it lets go of it.
final class RunningTool {
  private let process = Process()
  private let output = Pipe()

  init(_ arguments: [String]) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = output
    try process.run()
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  func signal(_ number: Int32) {
    kill(process.processIdentifier, number)
  }

  /// Waits for the end: the exit status, and what was said on standard error.
  func result() -> (status: Int32, errors: String) {
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }

  /// Publishes a test picture and a tone in real time, as ffmpeg does it: type `live`.
  static func publisher(_ url: String, seconds: Int, bitrate: String = "300k") throws -> RunningTool {
    try RunningTool([
      "ffmpeg", "-v", "error", "-nostdin", "-re", "-f", "lavfi", "-i", "testsrc=size=160x120:rate=25", "-f",
      "lavfi", "-i", "sine=frequency=440:sample_rate=44100", "-t", "\(seconds)", "-pix_fmt", "yuv420p",
      "-c:v",
      "libx264", "-preset", "ultrafast", "-b:v", bitrate, "-g", "25", "-c:a", "aac", "-f", "flv", url,
    ])
  }

  /// Plays into a file without decoding, to the stream's end.
  static func player(_ url: String, into path: String) throws -> RunningTool {
    try RunningTool(["ffmpeg", "-v", "error", "-nostdin", "-i", url, "-c", "copy", "-y", path])
  }
}
