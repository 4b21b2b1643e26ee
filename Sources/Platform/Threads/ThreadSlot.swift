/// A place for one thread, for owners that start it later than they are made.
package final class ThreadSlot: Sendable {
  private let thread = Locked<WorkerThread?>(nil)

  package init() {}

  package func start(name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
    try thread.withLock { (thread) throws(SystemError) in
      thread = try WorkerThread(name: name, body)
    }
  }

  /// Waits for the thread, if there is one.
  package func join() {
    guard let thread = thread.withLock({ $0.take() }) else { return }
    thread.join()
  }
}
