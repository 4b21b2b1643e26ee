import HoldfastPlatform
import TestSupport

/// What something on another thread has reported, in order.
final class Reports<Event: Sendable>: Sendable {
  private let events = Locked<[Event]>([])

  func add(_ event: Event) { events.withLock { $0.append(event) } }

  var all: [Event] { events.withLock { $0 } }

  /// False if `condition` does not hold for the events in time.
  func wait(_ condition: ([Event]) -> Bool) -> Bool { eventually(within: 30, every: 2000) { condition(all) } }
}
