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

  private let wakeup: Wakeup
  private let jobs = BoundedQueue<Job>(capacity: 256)
  private let isOver = Locked(false)
  private let threads = [ThreadSlot(), ThreadSlot()]

  init(_ wakeup: Wakeup) throws(SystemError) {
    self.wakeup = wakeup
    for thread in threads { try thread.start(name: "control-work") { [self] in run() } }
  }

  /// Nil if too many are pending.
  func begin(_ work: @escaping @Sendable () -> HTTPResponse) -> Pending? {
    let pending = Pending()
    return jobs.offer(Job(work: work, pending: pending)) ? pending : nil
  }

  /// Waits for running work and starts no more.
  func finish() {
    isOver.withLock { $0 = true }
    jobs.close()
    for thread in threads { thread.join() }
  }

  private func run() {
    while let job = jobs.take() {
      // After `finish` no one waits for queued work.
      if !isOver.withLock({ $0 }) { job.pending.complete(with: job.work()) }
      wakeup.signal()
    }
  }
}
