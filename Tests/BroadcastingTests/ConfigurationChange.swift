import Testing

@testable import HoldfastBroadcasting

/// A change to a configuration, and what follows from it.
struct ConfigurationChange<Outcome: Sendable>: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let outcome: Outcome
  let apply: @Sendable (inout Configuration) -> Void

  init(_ title: String, _ outcome: Outcome, _ apply: @escaping @Sendable (inout Configuration) -> Void) {
    (testDescription, self.outcome, self.apply) = (title, outcome, apply)
  }
}
