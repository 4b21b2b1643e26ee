/// The known state of machine and session; only changes become events.
struct LogindState: Hashable, Sendable {
  private var near: Set<Rest> = []
  private var isLocked = false
  private var isActive = true
  private var isSessionKnown = false
  private var notedFailures: Set<Subject> = []
  /// Of the sessions of which a lock is known, by path; also of those that are not watched yet.
  private var locks: [String: SessionLock] = [:]

  enum Subject: Hashable {
    case bus, inhibitor, session
  }

  /// What logind announces; the raw values are in its names of signals and properties.
  enum Rest: String, Hashable, CaseIterable {
    case sleep = "Sleep"
    case shutdown = "Shutdown"
  }

  var isRestNear: Bool { !near.isEmpty }

  mutating func update(_ rest: Rest, isNear: Bool) -> Bool {
    isNear ? near.insert(rest).inserted : near.remove(rest) != nil
  }

  /// `session` is asked to lock or unlock. That may come before it is known to be the one to watch.
  mutating func request(isLocked: Bool, of session: String, isWatched: Bool) -> [LogindEvent] {
    locks[session, default: SessionLock()].request(isLocked)
    return isWatched ? update(isLocked: isLocked, isActive: nil) : []
  }

  /// The properties of the watched session; nil leaves a value unchanged.
  mutating func update(_ session: String, lockedHint: Bool?, isActive: Bool?) -> [LogindEvent] {
    guard let lockedHint else { return update(isLocked: nil, isActive: isActive) }
    locks[session, default: SessionLock()].update(hint: lockedHint)
    return update(isLocked: locks[session]?.isLocked, isActive: isActive)
  }

  mutating func sessionRemoved(_ session: String) { locks[session] = nil }

  /// Signals may have been missed, so that only properties count. What was reported stays until they say otherwise.
  mutating func forgetLocks() { locks = [:] }

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
  mutating func sessionFound() -> [LogindEvent] {
    notedFailures.remove(.session)
    defer { isSessionKnown = true }
    return isSessionKnown ? [] : [.sessionIsKnown]
  }

  /// An ended or missing session counts as unlocked and active.
  mutating func sessionLost() -> [LogindEvent] { update(isLocked: false, isActive: true) }

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

  mutating func noteSuccess(_ subject: Subject) { notedFailures.remove(subject) }
}
