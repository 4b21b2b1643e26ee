import HoldfastPlatform

/// A change of the machine or the session.
package enum LogindEvent: Sendable {
  /// The machine sleeps as soon as the hold is released.
  case sleepIsNear(RestHold)
  case awake
  /// The machine is shut down, and its services are ended, as soon as the hold is released.
  case shutdownIsNear(RestHold)
  case shutdownIsCancelled
  case sessionLocked, sessionUnlocked
  /// Another session has the screen, the keyboard and the devices.
  case sessionInactive, sessionActive
  /// The session's state is known, for the first time or again.
  case sessionIsKnown
  /// Why the session's state is unknown; reported once until it is known again.
  case sessionIsUnknown(String)
  /// A failure, in words for people; reported once until it works again.
  case note(String)
}

/// Delays the machine's sleep or shutdown until it is released or deinitialized, at most for logind's limit
/// (usually 5 s).
package final class RestHold: Sendable {
  /// logind waits while it is open; nil without an inhibitor.
  private let inhibitor: Locked<FileDescriptor?>

  init(_ inhibitor: consuming FileDescriptor?) { self.inhibitor = Locked(inhibitor) }

  /// False if the machine may sleep or be shut down at any moment.
  package var isHolding: Bool { inhibitor.withLock { $0 != nil } }

  package func release() {
    let released = inhibitor.withLock { $0.take() }
    _ = consume released
  }
}
