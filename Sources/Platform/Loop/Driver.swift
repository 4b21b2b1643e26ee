package import HoldfastMediaModel

/// Carries out a machine's actions in an environment, and turns the answers into events. The program and the simulation
/// run the same drivers; only their environments differ.
package protocol Driver<Event>: ~Copyable, SendableMetatype {
  associatedtype Event: Sendable

  /// Nothing is left to do or to wait for.
  var isFinished: Bool { get }
  /// When `fireTimers` is due; nil where no timer runs.
  var nextDeadline: MonotonicTime? { get }

  mutating func handle(_ event: Event, at now: Instant)
  mutating func fireTimers(at now: Instant)
  /// Blocks until an event arrives or `deadline` has passed.
  mutating func wait(for inbox: Inbox<Event>, until deadline: MonotonicTime?) -> Event?
}

/// The numbered timers of one driver.
package struct Timers: Sendable {
  private var deadlines: [Int: MonotonicTime] = [:]

  package init() {}

  /// The earliest deadline.
  package var next: MonotonicTime? { deadlines.values.min() }
  package var isEmpty: Bool { deadlines.isEmpty }

  package mutating func set(_ number: Int, at deadline: MonotonicTime) {
    deadlines[number] = deadline
  }

  package mutating func cancel(_ number: Int) { deadlines[number] = nil }

  /// Removes the timer that was due first and returns its number; nil where none is due.
  package mutating func takeDue(at now: MonotonicTime) -> Int? {
    let due = deadlines.filter { $0.value <= now }.min { ($0.value, $0.key) < ($1.value, $1.key) }
    guard let due else { return nil }
    deadlines[due.key] = nil
    return due.key
  }
}
