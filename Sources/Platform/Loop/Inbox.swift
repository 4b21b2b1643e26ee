package import HoldfastMediaModel

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
  package func take(until deadline: MonotonicTime? = nil) -> Event? {
    events.take(until: deadline)
  }

  /// Refuses further events; pending ones can still be taken.
  package func close() { events.close() }
}
