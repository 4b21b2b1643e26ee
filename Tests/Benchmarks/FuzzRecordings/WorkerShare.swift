import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport

/// The trials of one worker, which is started again after one that crashed or hung.
struct WorkerShare: Sendable {
  private(set) var trials: [RecordingTrial] = []
  /// The trials that ended their process, and how.
  private(set) var lost: [String] = []

  private static let timeout = MediaTime.seconds(60)

  /// Tries them all.
  init(_ environment: [String: String], from first: Int, count: Int) throws {
    var next = first
    while next < first + count {
      let worker = try RunningTool(
        [CommandLine.arguments[0], "fuzz-recordings", "\(next)", "\(first + count - next)"],
        environment: environment)
      let problem = follow(worker, &next)
      guard next < first + count else { return }
      lost.append("trial \(next): \(problem)")
      next += 1
    }
  }

  /// Takes what the worker reports until its end, and advances `next`; returns how it ended.
  private mutating func follow(_ worker: RunningTool, _ next: inout Int) -> String {
    var (seen, lastSign) = (0, MonotonicTime.now)
    while MonotonicTime.now - lastSign <= Self.timeout {
      let isRunning = worker.isRunning
      let lines = worker.lines.dropFirst(seen)
      seen += lines.count
      for line in lines {
        // The libraries write lines, too.
        guard let trial = try? JSONDecoder().decode(RecordingTrial.self, from: Data(line.text.utf8)) else {
          continue
        }
        trials.append(trial)
        next = trial.index + 1
        lastSign = .now
      }
      if !isRunning, lines.isEmpty { return "ended the process: \(worker.result().errors.suffix(200))" }
      usleep(200_000)
    }
    return "took more than \(Self.timeout)"
  }
}
