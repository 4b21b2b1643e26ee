package import HoldfastLifecycle

/// What an extension came to.
package struct ExtensionAnswer: Hashable, Sendable {
  package let verdict: SessionTimer.Verdict
  /// How the time stands now.
  package let status: TimerStatus
}
