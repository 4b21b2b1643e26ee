import Foundation
import TestSupport

/// Where a command's CPU time goes, by perf.
enum ProfiledRun {
  private static let coders = ["libx264", "libavcodec", "vcam"]

  private static let frequency = 1997
  private static let silent = ["sh", "-c", "exec \"$@\" 2>/dev/null", "sh"]

  static var isPossible: Bool { (try? Tool.run(["perf", "--version"])) != nil }

  /// CPU seconds outside of the encoders and decoders, and of the virtual camera.
  static func others(_ run: JobRun, in folder: ScratchFolder) throws -> Double {
    let data = folder.file("perf.data")
    try Tool.run(
      ["perf", "record", "-q", "-F", "\(frequency)", "-o", data, "--"] + silent + run.command,
      environment: run.environment)
    let report = try Tool.run(["perf", "report", "-i", data, "--sort", "dso", "-n", "--stdio"])
    let samples = report.split(separator: "\n").reduce(0) { sum, line in
      let words = line.split(separator: " ")
      guard !line.hasPrefix("#"), words.count == 3, let samples = Int(words[1]),
        !coders.contains(where: { words[2].hasPrefix($0) })
      else { return sum }
      return sum + samples
    }
    return Double(samples) / Double(frequency)
  }
}
