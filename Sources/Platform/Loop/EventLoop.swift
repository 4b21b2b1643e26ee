package import HoldfastMediaModel

/// Runs a driver on a thread of its own, and holds its inbox.
package final class EventLoop<Event: Sendable>: Sendable {
  package let inbox: Inbox<Event>
  private let thread = ThreadSlot()

  package init(inbox: Inbox<Event> = Inbox()) { self.inbox = inbox }

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
  package func post(_ event: Event, leaving room: Int = 0) -> Bool { inbox.post(event, leaving: room) }

  /// Waits for the driver to finish. Deadlocks if the driver waits for room in the caller's inbox.
  package func join() { thread.join() }
}

/// Executes a state machine's actions in an environment, and turns results into events. The simulation runs
/// the same drivers in another environment.
package protocol Driver<Event>: ~Copyable, SendableMetatype {
  associatedtype Event: Sendable

  /// Nothing remains to be done or awaited.
  var isFinished: Bool { get }
  /// The time at which `fireTimers` is due; nil without a timer.
  var nextDeadline: MonotonicTime? { get }

  mutating func handle(_ event: Event, at now: Instant)
  mutating func fireTimers(at now: Instant)
  /// Blocks until an event arrives or `deadline` has passed.
  mutating func wait(for inbox: Inbox<Event>, until deadline: MonotonicTime?) -> Event?
}

/// A driver's pending events, in order; posting never blocks.
package final class Inbox<Event: Sendable>: Sendable {
  private let events: BoundedQueue<Event>
  /// Signalled with each event, for environments that wait in `poll`.
  package let wakeup: Wakeup?

  package init(capacity: Int = 1024, wakeup: Wakeup? = nil) {
    events = BoundedQueue(capacity: capacity)
    self.wakeup = wakeup
  }

  /// False when the inbox is full or closed. Requests leave `room` for the answers that a driver awaits.
  @discardableResult
  package func post(_ event: Event, leaving room: Int = 0) -> Bool {
    defer { wakeup?.signal() }
    return events.offer(event, leaving: room)
  }

  /// Waits for the oldest event; nil after `deadline`, or when the inbox is closed and empty.
  package func take(until deadline: MonotonicTime? = nil) -> Event? { events.take(until: deadline) }

  /// Refuses further events; pending ones can still be taken.
  package func close() { events.close() }
}
