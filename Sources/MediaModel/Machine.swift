/// A state machine: events in, actions out. A value that reads no clock, calls no code, keeps no closure.
package protocol Machine {
  associatedtype Event: Sendable
  associatedtype Action
  associatedtype Time = MonotonicTime

  mutating func handle(_ event: Event, at now: Time) -> [Action]
}
