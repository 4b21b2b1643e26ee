/// Runs a driver on a thread of its own, and holds its inbox.
package final class EventLoop<Event: Sendable>: Sendable {
  package let inbox: Inbox<Event>
  private let thread = ThreadSlot()

  package init(inbox: Inbox<Event> = Inbox()) {
    self.inbox = inbox
  }

  /// Runs the driver on a new thread until it has finished.
  package func start<Loop: Driver<Event> & ~Copyable>(
    name: String, _ makeDriver: @escaping @Sendable () -> Loop
  ) throws(SystemError) {
    try thread.start(name: name) { [self] in run(makeDriver()) }
  }

  /// Runs the driver on the calling thread until it has finished.
  package func run<Loop: Driver<Event> & ~Copyable>(_ driver: consuming Loop) {
    while !driver.isFinished {
      if let event = driver.wait(for: inbox, until: driver.nextDeadline) { driver.handle(event, at: .now) }
      driver.fireTimers(at: .now)
    }
    inbox.close()
  }

  /// False when the inbox is full or the driver has finished.
  @discardableResult
  package func post(_ event: Event, leaving room: Int = 0) -> Bool {
    inbox.post(event, leaving: room)
  }

  /// Waits for the driver to finish. Deadlocks if the driver waits for room in the caller's inbox.
  package func join() { thread.join() }
}
