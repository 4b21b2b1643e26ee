package import HoldfastMediaModel

/// The events that wait for one driver. Posting never blocks; the driver's thread takes them in order.
package final class Inbox<Event: Sendable>: Sendable {
  private let events: BoundedQueue<Event>
  /// Signalled with each event, for environments that wait in `poll`.
  package let wakeup: Wakeup?

  package init(capacity: Int = 1024, wakeup: Wakeup? = nil) {
    events = BoundedQueue(capacity: capacity)
    self.wakeup = wakeup
  }

  /// False when the inbox is full or its driver has finished. Requests from outside leave `room` for answers, which a
  /// driver waits for.
  @discardableResult
  package func post(_ event: Event, leaving room: Int = 0) -> Bool {
    defer { wakeup?.signal() }
    return events.offer(event, leaving: room)
  }

  /// The oldest event; waits for one until `deadline`, for ever without one. Nil when the time is over, or when the inbox
  /// is closed and empty.
  package func take(until deadline: MonotonicTime? = nil) -> Event? {
    events.take(until: deadline)
  }

  /// Refuses further events; those inside can still be taken.
  package func close() {
    events.close()
  }
}
