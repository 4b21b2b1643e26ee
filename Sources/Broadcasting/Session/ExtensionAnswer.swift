public import Lifecycle

/// What an extension came to.
public struct ExtensionAnswer: Hashable, Sendable {
  public let verdict: SessionTimer.Verdict
  /// How the time stands now.
  public let status: TimerStatus
}
