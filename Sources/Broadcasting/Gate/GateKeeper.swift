internal import MediaModel
internal import Platform

/// Asks the gate, and brings its verdict. It owns the question: there is one at a time.
final class GateKeeper: Sendable {
  private struct Question: Sendable {
    let task: Task<Void, Never>
    /// Gets an element when the gate has come back.
    let isOver: BoundedQueue<Bool>
  }

  private let gate: any GoLiveGate
  /// The number of the question, and why it refuses; nil where it lets it pass.
  private let report: @Sendable (Int, GateError?) -> Void
  private let question = Locked<Question?>(nil)

  /// The end of the program waits no longer for a gate that was withdrawn.
  private static let patience = MediaTime.seconds(3)

  init(_ gate: any GoLiveGate, report: @escaping @Sendable (Int, GateError?) -> Void) {
    self.gate = gate
    self.report = report
  }

  func ask(_ number: Int, about broadcast: BroadcastInfo) {
    withdraw()
    let isOver = BoundedQueue<Bool>(capacity: 1)
    let task = Task { [gate, report] in
      do {
        try await gate.readyToGoLive(broadcast)
        report(number, nil)
      } catch {
        report(number, GateError(.refused, underlying: error))
      }
      _ = isOver.offer(true)
    }
    question.withLock { $0 = Question(task: task, isOver: isOver) }
  }

  /// Nobody waits for its verdict any more.
  func withdraw() {
    question.withLock { $0 }?.task.cancel()
  }

  /// What a gate has started is gone when this returns, unless it hangs.
  func finish() {
    withdraw()
    _ = question.withLock { $0 }?.isOver.take(until: .now + Self.patience)
  }
}
