import HoldfastMediaModel
import HoldfastPlatform

/// Asks the gate and reports its verdict; one question at a time.
final class GateKeeper: Sendable {
  private struct Question: Sendable {
    let task: Task<Void, Never>
    let isOver: BoundedQueue<Bool>
  }

  private let gate: any GoLiveGate
  /// Called with the question's number and the refusal; nil if the gate passes.
  private let report: @Sendable (Int, GateError?) -> Void
  /// Newest last; earlier ones are cancelled but may still be running.
  private let questions = Locked<[Question]>([])

  private static let maxAtOnce = 8
  /// How long `finish` waits for cancelled gates.
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

  func withdraw() {
    for question in questions.withLock({ $0 }) { question.task.cancel() }
  }

  /// Cancels all questions and waits for their gates, up to a time limit.
  func finish() {
    withdraw()
    let limit = MonotonicTime.now + Self.patience
    for question in questions.withLock({ $0 }) { _ = question.isOver.take(until: limit) }
  }
}

/// A gate that passes if all of its gates, asked concurrently, pass.
struct AllGates: GoLiveGate {
  let gates: [any GoLiveGate]

  func readyToGoLive(_ broadcast: BroadcastInfo) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for gate in gates { group.addTask { try await gate.readyToGoLive(broadcast) } }
      // The first refusal cancels the others; waitForAll would wait for them.
      while try await group.next() != nil {}
    }
  }
}
