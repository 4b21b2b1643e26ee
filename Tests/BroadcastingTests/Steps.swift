import Testing

/// A row of a table: its name, and what happens one after another.
struct Steps<Step: Sendable>: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let steps: [Step]

  init(_ name: String, _ steps: Step...) { (testDescription, self.steps) = (name, steps) }

  /// Each step, with a comment that says which one it is.
  var numbered: [(step: Step, comment: Comment)] {
    steps.enumerated().map { ($0.element, "step \($0.offset + 1): \($0.element)") }
  }
}
