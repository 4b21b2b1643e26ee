import HoldfastMediaModel
import HoldfastPlatform

/// Computes deferred responses on its own threads, and signals when one is ready.
final class DeferredResponses: Sendable {
  /// A response that is computed once its turn has come.
  final class Pending: Sendable {
    private enum State: Sendable {
      case queued
      case running
      case ready(HTTPResponse)
      case taken
    }

    enum Outcome {
      case ready(HTTPResponse)
      case neverBegun
      /// It is still being computed.
      case unknown
    }

    private let state = Locked(State.queued)
    private let work: @Sendable () -> HTTPResponse

    fileprivate init(_ work: @escaping @Sendable () -> HTTPResponse) { self.work = work }

    var isReady: Bool { state.withLock { if case .ready = $0 { true } else { false } } }

    /// What has come of it. Work that has not begun is never done.
    func take() -> Outcome {
      state.withLock { state in
        defer { state = .taken }
        return switch state {
        case .ready(let response): .ready(response)
        case .queued: .neverBegun
        case .running, .taken: .unknown
        }
      }
    }

    fileprivate func run() {
      let begins = state.withLock { state in
        guard case .queued = state else { return false }
        state = .running
        return true
      }
      guard begins else { return }
      let response = work()
      state.withLock { if case .running = $0 { $0 = .ready(response) } }
    }
  }

  private struct Queue: Sendable {
    let jobs: BoundedQueue<Pending>
    let threads = [ThreadSlot(), ThreadSlot()]

    init(capacity: Int) { jobs = BoundedQueue(capacity: capacity) }
  }

  private let wakeup: Wakeup
  private let queues: [Reply.Lane: Queue]

  /// So many of each lane may wait.
  init(_ wakeup: Wakeup, capacity: Int) throws(SystemError) {
    self.wakeup = wakeup
    let lanes = Reply.Lane.allCases.map { ($0, Queue(capacity: capacity)) }
    queues = Dictionary(uniqueKeysWithValues: lanes)
    for queue in queues.values {
      for thread in queue.threads { try thread.start(name: "control-work") { [self] in run(queue.jobs) } }
    }
  }

  /// Nil if too many of the lane are pending.
  func begin(_ work: @escaping @Sendable () -> HTTPResponse, in lane: Reply.Lane) -> Pending? {
    let pending = Pending(work)
    return queues[lane]?.jobs.offer(pending) == true ? pending : nil
  }

  /// Waits for running work; what has not begun must have been taken.
  func finish() {
    for queue in queues.values { queue.jobs.close() }
    for queue in queues.values { for thread in queue.threads { thread.join() } }
  }

  private func run(_ jobs: BoundedQueue<Pending>) {
    while let pending = jobs.take() {
      pending.run()
      wakeup.signal()
    }
  }
}
