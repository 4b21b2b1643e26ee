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
