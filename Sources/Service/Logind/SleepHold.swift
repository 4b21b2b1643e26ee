internal import HoldfastPlatform

/// Holds up the sleep of the machine until it is released or let go of, or logind's patience ends (5 s, as a rule).
package final class SleepHold: Sendable {
  /// While it is open, logind waits; nil where there is nothing that it would wait for.
  private let inhibitor: Locked<FileDescriptor?>

  init(_ inhibitor: consuming FileDescriptor?) {
    self.inhibitor = Locked(inhibitor)
  }

  /// False: the machine may sleep at any moment.
  package var isHolding: Bool {
    inhibitor.withLock { $0 != nil }
  }

  /// Lets the machine sleep.
  package func release() {
    let released = inhibitor.withLock { $0.take() }
    _ = consume released
  }
}
