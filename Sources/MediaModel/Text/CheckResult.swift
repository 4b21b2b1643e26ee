package enum CheckOutcome: String, Hashable, Sendable {
  case passed, failed, skipped
}

/// The result of a step of a check, of a server or of a source.
package struct CheckResult<Step: RawRepresentable<String> & Hashable & Sendable>: Hashable, Sendable {
  package var step: Step
  package var outcome: CheckOutcome
  package var detail: String
  /// How long it took, or the time that it measured.
  package var took: MediaTime?
  package var bitsPerSecond: Double?
  package var warning: String?

  package init(
    _ step: Step, _ detail: String, _ outcome: CheckOutcome = .passed, took: MediaTime? = nil,
    bitsPerSecond: Double? = nil, warning: String? = nil
  ) {
    self.step = step
    self.detail = detail
    self.outcome = outcome
    self.took = took
    self.bitsPerSecond = bitsPerSecond
    self.warning = warning
  }
}
