/// What is known of the machine and of our session, so that only news are told.
struct LogindState: Hashable, Sendable {
  private(set) var isSleepNear = false
  private var isLocked = false
  private var isActive = true
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

  /// The note, unless it has been made before.
  mutating func complain(_ subject: Subject, _ text: String) -> [LogindEvent] {
    complaints.insert(subject).inserted ? [.note(text)] : []
  }

  /// Its next failure is worth a note again.
  mutating func works(_ subject: Subject) {
    complaints.remove(subject)
  }
}
