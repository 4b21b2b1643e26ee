import HoldfastMediaModel
import HoldfastPlatform

/// Computes deferred responses on its own threads, and signals when one is ready.
final class DeferredResponses: Sendable {
  final class Pending: Sendable {
    private let response = Locked<HTTPResponse?>(nil)

    var isReady: Bool { response.withLock { $0 != nil } }

    func take() -> HTTPResponse? { response.withLock { $0.take() } }

    fileprivate func complete(with ready: HTTPResponse) { response.withLock { $0 = ready } }
  }

  private struct Job: Sendable {
    let work: @Sendable () -> HTTPResponse
    let pending: Pending
  }

  private struct Queue: Sendable {
    let jobs: BoundedQueue<Job>
    let threads = [ThreadSlot(), ThreadSlot()]

    init(capacity: Int) { jobs = BoundedQueue(capacity: capacity) }
  }

  private let wakeup: Wakeup
  private let commands: Queue
  private let others: Queue
  private let isOver = Locked(false)

  /// So many of each lane may wait.
  init(_ wakeup: Wakeup, capacity: Int) throws(SystemError) {
    self.wakeup = wakeup
    commands = Queue(capacity: capacity)
    others = Queue(capacity: capacity)
    for lane in Reply.Lane.allCases {
      let queue = queue(lane)
      for thread in queue.threads { try thread.start(name: "control-work") { [self] in run(queue.jobs) } }
    }
  }

  private func queue(_ lane: Reply.Lane) -> Queue {
    switch lane {
    case .commands: commands
    case .others: others
    }
  }

  /// Nil if too many of the lane are pending.
  func begin(_ work: @escaping @Sendable () -> HTTPResponse, in lane: Reply.Lane) -> Pending? {
    let pending = Pending()
    return queue(lane).jobs.offer(Job(work: work, pending: pending)) ? pending : nil
  }

  /// Waits for running work and starts no more.
  func finish() {
    isOver.withLock { $0 = true }
    for lane in Reply.Lane.allCases { queue(lane).jobs.close() }
    for lane in Reply.Lane.allCases { for thread in queue(lane).threads { thread.join() } }
  }

  private func run(_ jobs: BoundedQueue<Job>) {
    while let job = jobs.take() {
      // After `finish` no one waits for queued work.
      if !isOver.withLock({ $0 }) { job.pending.complete(with: job.work()) }
      wakeup.signal()
    }
  }
}
