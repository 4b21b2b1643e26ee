package import HoldfastMediaModel

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

package struct Timers: Sendable {
  private var deadlines: [Int: MonotonicTime] = [:]

  package init() {}

  package var next: MonotonicTime? { deadlines.values.min() }
  package var isEmpty: Bool { deadlines.isEmpty }

  package mutating func set(_ number: Int, at deadline: MonotonicTime) {
    deadlines[number] = deadline
  }

  package mutating func cancel(_ number: Int) { deadlines[number] = nil }

  /// Removes the timer that was due first; returns its number, or nil if none is due.
  package mutating func takeDue(at now: MonotonicTime) -> Int? {
    let due = deadlines.filter { $0.value <= now }.min { ($0.value, $0.key) < ($1.value, $1.key) }
    guard let due else { return nil }
    deadlines[due.key] = nil
    return due.key
  }
}
