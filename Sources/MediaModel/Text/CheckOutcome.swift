/// The outcome of a step of a check, of a server or of a source.
package enum CheckOutcome: String, Hashable, Sendable {
  case passed, failed, skipped
}
