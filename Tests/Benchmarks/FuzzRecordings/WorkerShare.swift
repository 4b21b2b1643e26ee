import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport

/// The trials of one worker, which is started again after one that crashed or hung.
struct WorkerShare {
  private let samples: String
  private let variable: String
  private var next: Int
  private let end: Int
  private var worker: RunningTool?
  private var seen = 0
  private var lastSign = MonotonicTime.now
  private(set) var trials: [ReportedTrial] = []
  /// The trials that ended their process, and how.
  private(set) var lost: [String] = []

  private static let timeout = MediaTime.seconds(60)

  init(_ samples: String, variable: String, from first: Int, count: Int) {
    self.samples = samples
    self.variable = variable
    next = first
    end = first + max(0, count)
  }

  var isOver: Bool { next >= end }

  /// Takes what the worker has reported; starts one if there is none.
  mutating func poll() throws {
    guard !isOver else { return }
    guard let worker else {
      worker = try RunningTool(
        ["/proc/self/exe".resolved, "\(next)", "\(end - next)"], environment: [variable: samples])
      (seen, lastSign) = (0, .now)
      return
    }
    let isRunning = worker.isRunning
    let lines = worker.lines.dropFirst(seen)
    seen += lines.count
    for trial in lines.compactMap({ ReportedTrial($0.text) }) {
      trials.append(trial)
      next = trial.index + 1
      lastSign = .now
    }
    guard !isOver else { return }
    if !isRunning, lines.isEmpty {
      lose("ended the process: \(worker.result().errors.suffix(200))")
    } else if MonotonicTime.now - lastSign > Self.timeout {
      lose("took more than \(Self.timeout)")
    }
  }

  private mutating func lose(_ how: String) {
    lost.append("trial \(next): \(how)")
    next += 1
    worker = nil
  }
}

extension String {
  fileprivate var resolved: String { URL(fileURLWithPath: self).resolvingSymlinksInPath().path }
}
