/// A thread with a stop signal.
package final class StoppableThread: Sendable {
  private let stopSignal: Wakeup
  private let thread = ThreadSlot()

  /// `body` must return once the wakeup is signalled.
  package init(
    name: String, priority: ThreadPriority = .usual, _ body: @escaping @Sendable (Wakeup) -> Void
  ) throws(SystemError) {
    let stopSignal = try Wakeup()
    self.stopSignal = stopSignal
    try thread.start(name: name, priority: priority) { body(stopSignal) }
  }

  package func stop() {
    stopSignal.signal()
    thread.join()
  }
}
