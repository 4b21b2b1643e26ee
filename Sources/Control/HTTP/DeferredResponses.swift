internal import HoldfastMediaModel
internal import HoldfastPlatform

/// Works out deferred responses, on threads of its own, and signals when one is ready.
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

  /// Nil where too many are being worked out.
  func begin(_ work: @escaping @Sendable () -> HTTPResponse) -> Pending? {
    let pending = Pending()
    return jobs.offer(Job(work: work, pending: pending)) ? pending : nil
  }

  /// What is being worked out is waited for; nothing more is begun.
  func finish() {
    isOver.withLock { $0 = true }
    jobs.close()
    for thread in threads { thread.join() }
  }

  private func run() {
    while let job = jobs.take() {
      // At the end nobody waits for what has not been begun.
      if !isOver.withLock({ $0 }) { job.pending.complete(with: job.work()) }
      wakeup.signal()
    }
  }
}
