internal import HoldfastMediaModel
internal import HoldfastPlatform

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
  /// The newest last; those before it are withdrawn, and may not have come back.
  private let questions = Locked<[Question]>([])

  private static let maxAtOnce = 8
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
    questions.withLock { questions in
      questions = questions.suffix(Self.maxAtOnce - 1) + [Question(task: task, isOver: isOver)]
    }
  }

  /// Nobody waits for its verdict any more.
  func withdraw() {
    for question in questions.withLock({ $0 }) { question.task.cancel() }
  }

  /// What a gate has started is gone when this returns, unless it hangs.
  func finish() {
    withdraw()
    let limit = MonotonicTime.now + Self.patience
    for question in questions.withLock({ $0 }) { _ = question.isOver.take(until: limit) }
  }
}

/// Several gates, asked at once: all of them have to let it pass.
struct AllGates: GoLiveGate {
  let gates: [any GoLiveGate]

  func readyToGoLive(_ broadcast: BroadcastInfo) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for gate in gates { group.addTask { try await gate.readyToGoLive(broadcast) } }
      // The first one that refuses ends the others; waitForAll would wait for them.
      while try await group.next() != nil {}
    }
  }
}
