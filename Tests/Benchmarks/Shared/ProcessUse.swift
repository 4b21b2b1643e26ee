import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport

/// The processor time that a process takes from now on.
struct ProcessorTime {
  private let process: pid_t
  private let before: [String: Double]
  private let began = MonotonicTime.now

  init(of process: pid_t) {
    self.process = process
    before = ProcessFigures.processorSeconds(process)
  }

  /// In seconds by thread; the empty name has the total.
  private var taken: [String: Double] {
    let now = ProcessFigures.processorSeconds(process)
    return Dictionary(uniqueKeysWithValues: now.map { ($0, $1 - (before[$0] ?? 0)) })
  }

  var seconds: Double { taken["", default: 0] }

  /// In percent of a core, by thread.
  var shares: [String: Double] {
    let length = (MonotonicTime.now - began).seconds
    return taken.mapValues { $0 * 100 / length }
  }
}

extension rusage {
  var processorSeconds: Double {
    Double(ru_utime.tv_sec + ru_stime.tv_sec) + Double(ru_utime.tv_usec + ru_stime.tv_usec) / 1e6
  }
}

/// What a process takes while something is done.
struct Phase {
  /// The most, in MB.
  let memory: Double
  /// Percent of a core by thread; the empty name has the total.
  let shares: [String: Double]

  static func measured<Result>(_ process: pid_t, _ work: () -> Result) -> (Result, Phase) {
    let (time, most) = (ProcessorTime(of: process), Locked(0))
    let thread = RepeatingThread(every: 100_000) {
      let memory = ProcessFigures(of: process)?.memoryKilobytes ?? 0
      most.withLock { $0 = max($0, memory) }
    }
    let result = work()
    thread.finish()
    return (result, Phase(memory: Double(most.withLock { $0 }) / 1024, shares: time.shares))
  }

  static func print(_ phases: [(name: String, phase: Phase)]) {
    let threads = ["control", "control-work", "preview"]
    let lines = phases.map { name, phase in
      [name] + ([""] + threads).map { figure(phase.shares[$0] ?? 0) + " %" } + [figure(phase.memory) + " MB"]
    }
    Swift.print(aligned([["", "CPU"] + threads + ["memory (most)"]] + lines))
  }
}

/// Raises the limit of open files to `count`; throws if the shell doesn't allow that.
func needDescriptors(_ count: Int) throws {
  guard raiseDescriptorLimit(to: count) >= count else {
    throw TestFailure("this shell allows too few open files (ulimit -Hn)")
  }
}
