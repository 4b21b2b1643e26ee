package import HoldfastMediaModel

/// Owns the inbox and the thread of one driver.
package final class EventLoop<Event: Sendable>: Sendable {
  package let inbox: Inbox<Event>
  private let thread = ThreadSlot()

  package init(inbox: Inbox<Event> = Inbox()) {
    self.inbox = inbox
  }

  /// Runs the driver on a thread of its own until it has finished; `join` waits for that.
  package func start<Loop: Driver<Event> & ~Copyable>(
    name: String, _ makeDriver: @escaping @Sendable () -> Loop
  ) throws(SystemError) {
    try thread.start(name: name) { [self] in run(makeDriver()) }
  }

  /// Runs the driver on the calling thread.
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

  /// Waits for the driver's end. A parent must not join a child that may still wait for room in the parent's inbox.
  package func join() { thread.join() }
}

/// The pending events of one driver. Posting never blocks; the driver's thread takes them in order.
package final class Inbox<Event: Sendable>: Sendable {
  private let events: BoundedQueue<Event>
  /// Signalled with each event, for environments that wait in `poll`.
  package let wakeup: Wakeup?

  package init(capacity: Int = 1024, wakeup: Wakeup? = nil) {
    events = BoundedQueue(capacity: capacity)
    self.wakeup = wakeup
  }

  /// False when the inbox is full or its driver has finished. Requests leave `room` for answers, which a driver awaits.
  @discardableResult
  package func post(_ event: Event, leaving room: Int = 0) -> Bool {
    defer { wakeup?.signal() }
    return events.offer(event, leaving: room)
  }

  /// Waits for the oldest event until `deadline`. Nil on a timeout, or when the inbox is closed and empty.
  package func take(until deadline: MonotonicTime? = nil) -> Event? {
    events.take(until: deadline)
  }

  /// Refuses further events; those inside can still be taken.
  package func close() { events.close() }
}
