/// A thread that runs until it is told to stop.
package final class StoppableThread: Sendable {
  private let stopSignal: Wakeup
  private let thread = ThreadSlot()

  /// `body` gets what tells it to stop.
  package init(name: String, _ body: @escaping @Sendable (Wakeup) -> Void) throws(SystemError) {
    let stopSignal = try Wakeup()
    self.stopSignal = stopSignal
    try thread.start(name: name) { body(stopSignal) }
  }

  /// Waits for its end.
  package func stop() {
    stopSignal.signal()
    thread.join()
  }
}
