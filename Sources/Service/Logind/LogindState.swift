internal import HoldfastPlatform

/// The known state of the machine and of the session; only changes become events.
struct LogindState: Hashable, Sendable {
  private(set) var isSleepNear = false
  private var isLocked = false
  private var isActive = true
  private var isSessionKnown = false
  private var complaints: Set<Subject> = []

  /// What may fail.
  enum Subject: Hashable {
    case bus, inhibitor, session
  }

  /// False when nothing changed.
  mutating func learn(isSleepNear now: Bool) -> Bool {
    defer { isSleepNear = now }
    return isSleepNear != now
  }

  /// Nil leaves the value as it was.
  mutating func learn(isLocked locked: Bool?, isActive active: Bool?) -> [LogindEvent] {
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

  /// The session can be watched.
  mutating func findSession() -> [LogindEvent] {
    complaints.remove(.session)
    defer { isSessionKnown = true }
    return isSessionKnown ? [] : [.sessionIsKnown]
  }

  /// The session has ended, or there is none: it counts as unlocked and active.
  mutating func loseSession() -> [LogindEvent] { learn(isLocked: false, isActive: true) }

  /// The note, unless it has been made before.
  mutating func complain(_ subject: Subject, _ text: String) -> [LogindEvent] {
    guard complaints.insert(subject).inserted else { return [] }
    switch subject {
    case .bus, .inhibitor: return [.note(text)]
    case .session:
      isSessionKnown = false
      return [.sessionIsUnknown(text)]
    }
  }

  /// The next failure of `subject` is noted again.
  mutating func works(_ subject: Subject) { complaints.remove(subject) }
}

/// A change of the machine or of the session.
package enum LogindEvent: Sendable {
  /// The machine sleeps as soon as the hold is released.
  case sleepIsNear(SleepHold)
  case awake
  case sessionLocked, sessionUnlocked
  /// Another session has the screen, the keyboard and the devices.
  case sessionInactive, sessionActive
  /// The session's state is known for the first time, or again.
  case sessionIsKnown
  /// Why there is no session to watch or no news of it; reported once until it is known again.
  case sessionIsUnknown(String)
  /// A failure, in words for a person; reported once until it works again.
  case note(String)
}

/// Delays the machine's sleep until it is released or deinitialized, at most for logind's limit (usually 5 s).
package final class SleepHold: Sendable {
  /// logind waits while it is open; nil where there is no inhibitor.
  private let inhibitor: Locked<FileDescriptor?>

  init(_ inhibitor: consuming FileDescriptor?) { self.inhibitor = Locked(inhibitor) }

  /// False where the machine may sleep at any moment.
  package var isHolding: Bool { inhibitor.withLock { $0 != nil } }

  /// Lets the machine sleep.
  package func release() {
    let released = inhibitor.withLock { $0.take() }
    _ = consume released
  }
}
