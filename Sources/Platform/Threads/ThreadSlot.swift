package import HoldfastMediaModel

/// A thread started after the initialization of its owner.
package final class ThreadSlot: Sendable {
  private let thread = Locked<WorkerThread?>(nil)
  private let ended = Promise<Void>()

  package init() {}

  package func start(
    name: String, priority: ThreadPriority = .usual, _ body: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    try thread.withLock { (thread) throws(SystemError) in
      thread = try WorkerThread(name: name, priority: priority) { [ended] in
        body()
        ended.fulfil(())
      }
    }
  }

  package func join() {
    guard let thread = thread.withLock({ $0.take() }) else { return }
    thread.join()
  }

  /// Waits for the thread to end; false if it is abandoned because it has not ended by `deadline`.
  package func join(until deadline: MonotonicTime) -> Bool {
    guard let thread = thread.withLock({ $0.take() }) else { return true }
    let hasEnded = ended.take(until: deadline) != nil
    if hasEnded { thread.join() } else { thread.abandon() }
    return hasEnded
  }
}
