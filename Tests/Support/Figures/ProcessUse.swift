package import Foundation
import HoldfastMediaModel
import HoldfastPlatform

/// The resource use of a process during a phase.
package struct Phase {
  package let memory: Double
  /// In percent of a core.
  package let processor: Double
  package let controlThread: Double
  package let workers: Double
  package let preview: Double

  package static func print(_ phases: [(name: String, phase: Phase)]) {
    Swift.print("             CPU     control  control-work  preview  memory (most)")
    for (name, phase) in phases {
      Swift.print(
        padded(name, 12)
          + String(
            format: "%5.1f %%  %5.1f %%   %5.1f %%      %5.1f %%  %5.1f MB", phase.processor,
            phase.controlThread, phase.workers, phase.preview, phase.memory))
    }
  }
}

/// Samples the resource use of a process until `finish`.
package final class ProcessUse {
  private let process: pid_t
  private let began = MonotonicTime.now
  private let before: [String: Double]
  private let most = Locked(0)
  private let thread: RepeatingThread

  package init(_ process: pid_t) {
    self.process = process
    before = ProcessFigures.processorSeconds(process)
    thread = RepeatingThread(every: 100_000) { [most] in
      let memory = ProcessFigures(of: process)?.memoryKilobytes ?? 0
      most.withLock { $0 = max($0, memory) }
    }
  }

  package func finish() -> Phase {
    thread.finish()
    let (after, length) = (ProcessFigures.processorSeconds(process), (MonotonicTime.now - began).seconds)
    func share(_ thread: String) -> Double { ((after[thread] ?? 0) - (before[thread] ?? 0)) * 100 / length }
    return Phase(
      memory: Double(most.withLock { $0 }) / 1024, processor: share(""), controlThread: share("control"),
      workers: share("control-work"), preview: share("preview"))
  }
}
