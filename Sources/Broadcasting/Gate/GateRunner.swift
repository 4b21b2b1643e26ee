import HoldfastMediaModel
import HoldfastPlatform

/// Runs the gate and reports its verdict; a new run cancels the one before.
final class GateRunner: Sendable {
  private struct Run: Sendable {
    let task: Task<Void, Never>
    let end: Promise<Void>
  }

  private let gate: any GoLiveGate
  /// Called with the number of `ask` and the refusal; nil if the gate passes.
  private let report: @Sendable (Int, GateError?) -> Void
  /// Newest last; earlier ones are cancelled but may still be running.
  private let runs = Locked<[Run]>([])

  private static let maxRuns = 8
  /// How long `finish` waits for cancelled gates.
  private static let timeout = MediaTime.seconds(3)

  init(_ gate: any GoLiveGate, report: @escaping @Sendable (Int, GateError?) -> Void) {
    self.gate = gate
    self.report = report
  }

  func ask(_ number: Int, about broadcast: BroadcastInfo) {
    cancel()
    let end = Promise<Void>()
    let task = Task { [gate, report] in
      do {
        try await gate.authorize(broadcast)
        report(number, nil)
      } catch {
        report(number, GateError(.refused, underlying: error))
      }
      end.fulfil(())
    }
    runs.withLock { $0 = $0.suffix(Self.maxRuns - 1) + [Run(task: task, end: end)] }
  }

  func cancel() {
    for run in runs.withLock({ $0 }) { run.task.cancel() }
  }

  /// Cancels the gate and waits for its end, up to a time limit.
  func finish() {
    cancel()
    let deadline = MonotonicTime.now + Self.timeout
    for run in runs.withLock({ $0 }) { _ = run.end.take(until: deadline) }
  }
}

/// A gate that passes if all of its gates, asked concurrently, pass.
struct AllGates: GoLiveGate {
  let gates: [any GoLiveGate]

  func authorize(_ broadcast: BroadcastInfo) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for gate in gates { group.addTask { try await gate.authorize(broadcast) } }
      // The first refusal cancels the others; waitForAll would wait for them.
      while try await group.next() != nil {}
    }
  }
}
