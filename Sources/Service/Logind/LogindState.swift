import HoldfastPlatform

/// The known state of machine and session; only changes become events.
struct LogindState: Hashable, Sendable {
  private(set) var isSleepNear = false
  private var isLocked = false
  private var isActive = true
  private var isSessionKnown = false
  private var notedFailures: Set<Subject> = []

  enum Subject: Hashable {
    case bus, inhibitor, session
  }

  mutating func update(isSleepNear now: Bool) -> Bool {
    defer { isSleepNear = now }
    return isSleepNear != now
  }

  /// Nil leaves a value unchanged.
  mutating func update(isLocked locked: Bool?, isActive active: Bool?) -> [LogindEvent] {
    var events: [LogindEvent] = []
    if let locked, locked != isLocked {
      isLocked = locked
      events.append(locked ? .sessionLocked : .sessionUnlocked)
    }
    if let active, active != isActive {
      isActive = active
      events.append(active ? .sessionActive : .sessionInactive)
    }
    return events
  }

  /// Notes that the session can be watched.
  mutating func findSession() -> [LogindEvent] {
    notedFailures.remove(.session)
    defer { isSessionKnown = true }
    return isSessionKnown ? [] : [.sessionIsKnown]
  }

  /// An ended or missing session counts as unlocked and active.
  mutating func loseSession() -> [LogindEvent] { update(isLocked: false, isActive: true) }

  /// An event for the first failure only.
  mutating func noteFailure(_ subject: Subject, _ text: String) -> [LogindEvent] {
    guard notedFailures.insert(subject).inserted else { return [] }
    switch subject {
    case .bus, .inhibitor: return [.note(text)]
    case .session:
      isSessionKnown = false
      return [.sessionIsUnknown(text)]
    }
  }

  mutating func works(_ subject: Subject) { notedFailures.remove(subject) }
}

/// A change of the machine or the session.
package enum LogindEvent: Sendable {
  /// The machine sleeps as soon as the hold is released.
  case sleepIsNear(SleepHold)
  case awake
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

/// Delays the machine's sleep until it is released or deinitialized, at most for logind's limit (usually 5 s).
package final class SleepHold: Sendable {
  /// logind waits while it is open; nil without an inhibitor.
  private let inhibitor: Locked<FileDescriptor?>

  init(_ inhibitor: consuming FileDescriptor?) { self.inhibitor = Locked(inhibitor) }

  /// False if the machine may sleep at any moment.
  package var isHolding: Bool { inhibitor.withLock { $0 != nil } }

  package func release() {
    let released = inhibitor.withLock { $0.take() }
    _ = consume released
  }
}
