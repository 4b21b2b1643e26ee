/// What is known of the machine and of our session, so that only news are told.
struct LogindState: Hashable, Sendable {
  private(set) var isSleepNear = false
  private var isLocked = false
  private var isActive = true
  private var isSessionKnown = false
  private var complaints: Set<Subject> = []

  /// What may not work.
  enum Subject: Hashable {
    case bus, inhibitor, session
  }

  /// False when it was known.
  mutating func learn(isSleepNear now: Bool) -> Bool {
    defer { isSleepNear = now }
    return isSleepNear != now
  }

  /// What is not said is as it was.
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

  /// It has ended, or there is none: nothing is locked, and nobody else has its place.
  mutating func loseSession() -> [LogindEvent] {
    learn(isLocked: false, isActive: true)
  }

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

  /// Its next failure is worth a note again.
  mutating func works(_ subject: Subject) {
    complaints.remove(subject)
  }
}
