import HoldfastMediaModel
import HoldfastPlatform

/// Asks the gates and reports their verdict; a new run cancels the one before.
final class GateRunner: Sendable {
  private let gates: [any GoLiveGate]
  /// Called with the number of `ask`.
  private let report: @Sendable (Int, GateRun.Report) -> Void
  /// Newest last; earlier ones are cancelled but may still be running.
  private let runs = Locked<[GateRun]>([])

  private static let maxRuns = 8
  /// How long `finish` waits for cancelled gates.
  private static let timeout = MediaTime.seconds(3)

  init(_ gates: [any GoLiveGate], report: @escaping @Sendable (Int, GateRun.Report) -> Void) {
    self.gates = gates
    self.report = report
  }

  func ask(_ number: Int, about broadcast: BroadcastInfo) {
    cancel()
    let run = GateRun(gates.count) { [report] in report(number, $0) }
    runs.withLock { $0 = $0.suffix(Self.maxRuns - 1) + [run] }
    for gate in gates { run.start(gate, about: broadcast) }
  }

  func cancel() {
    for run in runs.withLock({ $0 }) { run.cancel() }
  }

  /// Cancels the gates and waits for their end, up to a time limit.
  func finish() {
    cancel()
    let deadline = MonotonicTime.now + Self.timeout
    for run in runs.withLock({ $0 }) { run.wait(until: deadline) }
  }
}
