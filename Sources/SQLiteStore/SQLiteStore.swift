package import HoldfastMediaModel
import HoldfastPlatform
package import HoldfastSession
package import HoldfastStores

/// A store in an SQLite file, for the hub of one machine. Any thread may call any verb.
///
/// A commit that was answered is on the disk; those that wait for the disk at a time share its next sync, and nobody else
/// waits for it: what is read is what was last committed. Beats, and what comes with them, are in memory and follow in
/// groups (see `Attendance`); levels are in memory only. A failure changes nothing, and a store whose disk was full or
/// away works on when it is back.
package final class SQLiteStore: Store, Sendable {
  /// Keeps other processes out until both connections are closed.
  private let lock: Locked<FileLock?>
  private let file: Locked<SessionFile?>
  /// Reads beside the commits.
  private let reader: Locked<SessionFile?>
  /// Locked within `file`, never around it.
  let attendance: Locked<Attendance>
  /// Commits that wait for the file.
  let waiting = Locked<[WaitingCommit]>([])
  let epoch: UInt64
  private let clock: @Sendable () -> Instant
  let sessions: (any KnownSessions)?

  init(
    _ file: consuming sending SessionFile, reader: consuming sending SessionFile, lock: consuming FileLock,
    sessions: (any KnownSessions)?, clock: @escaping @Sendable () -> Instant
  ) throws(SQLiteError) {
    self.sessions = sessions
    let reading = clock()
    var attendance = Attendance(
      clock: StoreClock(after: file.instant, at: reading), epoch: file.epoch.number, at: reading)
    for beat in try file.beats() { attendance.add(beat) }
    self.attendance = Locked(attendance)
    epoch = file.epoch.number
    self.clock = clock
    self.file = Locked(file)
    self.reader = Locked(reader)
    self.lock = Locked(lock)
  }

  deinit { close() }

  /// Writes what is in memory and leaves the file to others. Every verb fails from then on.
  package func close() {
    attendance.withLock { $0.close() }
    try? withFile { file throws(SQLiteError) in
      try write(attendance.withLock { $0.takeUnwritten() }, to: file)
    }
    reader.withLock { $0 = nil }
    // The last connection moves the log into the file.
    file.withLock { $0 = nil }
    lock.withLock { $0 = nil }
  }
}

// MARK: - Sessions

extension SQLiteStore {
  package func load(_ name: Session.Name, asking request: StoreRequest?) throws(StoreError) -> LoadedSession {
    let key = SessionKey(name)
    let found = try read { file throws(SQLiteError) in
      let stored = try file.session(key)
      return Found(
        state: stored?.state, numbers: try file.numbers(of: stored), epoch: file.epoch,
        known: try known(request, in: stored, of: file, at: self.now()))
    }
    // Later than all that was read.
    let (now, members) = readPresence(of: key)
    let loaded = try found.loaded(name, sessions?.newest(name), members, at: now)
    sessions?.keep(loaded)
    return loaded
  }

  package func due(within time: MediaTime) throws(StoreError) -> [Session.Name] {
    let names = try read { file throws(SQLiteError) in
      try file.dueSessions(until: now() + time)
    }
    // By who looks after the sessions, not by a member, which would wait for the disk.
    let reading = clock()
    if attendance.withLock({ $0.isGroupDue(at: reading) }) { writeGroup() }
    return names.compactMap { try? Session.Name($0) }
  }

  package func postpone(_ name: Session.Name, to due: WallTime?, expected: StoreVersion) throws(StoreError) {
    guard expected.epoch == epoch else { return }
    try withFile { file throws(SQLiteError) in
      try file.connection.transaction(.normal) { () throws(SQLiteError) in
        try file.postpone(SessionKey(name), to: due, count: expected.count)
      }
    }
  }
}

// MARK: - Presence

extension SQLiteStore {
  package func beat(
    _ lease: Session.Lease, statistics: String?, in name: Session.Name
  ) throws(StoreError) -> StoreVersion? {
    try renew(lease, statistics: statistics, scores: nil, in: name)?.version
  }

  package func levels(
    _ scores: String, of lease: Session.Lease, in name: Session.Name
  ) throws(StoreError) -> [Session.Lease: String]? {
    try renew(lease, statistics: nil, scores: scores, in: name)?.scores
  }

  package func heard(in name: Session.Name) throws(StoreError) -> [Session.Lease: String] {
    let reading = clock()
    return attendance.withLock { $0.heard(in: SessionKey(name), at: reading) }
  }

  private func renew(
    _ lease: Session.Lease, statistics: String?, scores: String?, in name: Session.Name
  ) throws(StoreError) -> (version: StoreVersion, scores: [Session.Lease: String])? {
    let key = SessionKey(name)
    while true {
      let reading = clock()
      let renewal = attendance.withLock {
        $0.renew(lease, statistics: statistics, scores: scores, in: key, at: reading)
      }
      switch renewal {
      case .renewed(let count, let scores):
        return (StoreVersion(epoch: epoch, count: count), scores)
      case .noLease: return nil
      // The commit holds the file until it is over.
      case .undecided: file.withLock { _ in }
      case .closed: throw Self.isClosed
      }
    }
  }

  private func readPresence(
    of key: SessionKey
  ) -> (now: WallTime, members: [Session.Lease: Attendance.Member]) {
    let reading = clock()
    return attendance.withLock { ($0.clock.advance(to: reading), $0.members(of: key)) }
  }

  func now() -> WallTime {
    let reading = clock()
    return attendance.withLock { $0.clock.advance(to: reading) }
  }

  /// A group that can't be written stays in memory: whoever commits is told what is wrong with the disk.
  private func writeGroup() {
    try? withFile { file throws(SQLiteError) in
      let beats = attendance.withLock { $0.takeUnwritten() }
      do throws(SQLiteError) {
        try write(beats, to: file)
      } catch {
        attendance.withLock { $0.putBack(beats) }
        throw error
      }
    }
  }

  private func write(_ beats: [StoredBeat], to file: SessionFile) throws(SQLiteError) {
    let now = now()
    try file.connection.transaction(.normal) { () throws(SQLiteError) in try file.write(beats, at: now) }
  }
}

// MARK: - Events and changes

extension SQLiteStore {
  package func read(_ name: Session.Name, after event: EventID) throws(StoreError) -> EventPage {
    guard event.epoch == epoch else { return .reset }
    return try read { file throws(SQLiteError) in
      guard let session = try file.session(SessionKey(name)) else {
        return event.sequence == (try file.numbers(of: nil).sequence) ? .events([]) : .reset
      }
      let first = try file.firstEvent(of: session.id) ?? session.numbers.sequence + 1
      guard event.sequence <= session.numbers.sequence, event.sequence + 1 >= first else { return .reset }
      return .events(try file.events(of: session.id, after: event.sequence))
    }
  }

  package func changes(after change: EventID?) throws(StoreError) -> ChangePage {
    try read { file throws(SQLiteError) in
      let last = EventID(epoch: epoch, sequence: try file.lastChange())
      guard let change, change.epoch == epoch, change.sequence <= last.sequence,
        last.sequence - change.sequence <= UInt64(ChangePage.memory)
      else { return .any(upTo: last) }
      let names = try file.sessionsChanged(after: change.sequence)
      return .sessions(names.compactMap { try? Session.Name($0) }, upTo: last)
    }
  }
}

// MARK: - The file

extension SQLiteStore {
  private static let isClosed = StoreError.away(.lost("it was closed"))

  /// What the file has of a session.
  private struct Found: Sendable {
    let state: SessionFile.State?
    let numbers: SessionFile.Numbers
    let epoch: Session.Epoch
    let known: KnownRequest?

    /// Without the lock, as a large session takes a while to be read.
    func loaded(
      _ name: Session.Name, _ before: LoadedSession?, _ members: [Session.Lease: Attendance.Member],
      at now: WallTime
    ) throws(StoreError) -> LoadedSession {
      let version = StoreVersion(epoch: epoch.number, count: numbers.count)
      let same = before?.version == version ? before?.session : nil
      var session = if let same { same } else { try session(name) }
      session.begin(epoch)
      return LoadedSession(
        session: session, version: version,
        beats: members.mapValues(\.beat), statistics: members.compactMapValues(\.statistics),
        lastEvent: EventID(epoch: epoch.number, sequence: numbers.sequence), now: now, known: known)
    }

    private func session(_ name: Session.Name) throws(StoreError) -> Session {
      do throws(Session.FormError) {
        switch state {
        case nil: return Session(name, epoch: epoch)
        case .text(let text): return try Session(stored: text)
        case .notUTF8: throw .notJSON
        }
      } catch {
        throw .unreadable(error)
      }
    }
  }

  func known(
    _ request: StoreRequest?, in session: SessionFile.StoredSession?, of file: SessionFile, at now: WallTime
  ) throws(SQLiteError) -> KnownRequest? {
    guard let request, let session else { return nil }
    return try file.known(request, in: session.id, at: now)
  }

  func withFile<Result>(_ body: (SessionFile) throws(SQLiteError) -> Result) throws(StoreError) -> Result {
    try Self.with(file, body)
  }

  /// Reads what was committed at one instant.
  private func read<Result>(
    _ body: (SessionFile) throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    try Self.with(reader) { file throws(SQLiteError) in
      try file.connection.snapshot { () throws(SQLiteError) in try body(file) }
    }
  }

  private static func with<Result>(
    _ file: Locked<SessionFile?>, _ body: (SessionFile) throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    let result: Result?
    do throws(SQLiteError) {
      result = try file.withLock { file throws(SQLiteError) -> Result? in
        guard let file else { return nil }
        return try body(file)
      }
    } catch {
      throw .away(error.trouble)
    }
    guard let result else { throw isClosed }
    return result
  }
}

/// The store's clock: the wall clock, but it never goes back.
///
/// Where the wall clock is set back, the store's goes on at the pace of the time since boot, so that leases and limits
/// still run out; it stays ahead by what was set back until the store is not open for that long. Where the wall clock is
/// set forward, the store's follows: limits of time are nearer at once, and answers forgotten earlier. Nobody expires by
/// that, as hubs count only contact in which the store's clock moved as their own did.
struct StoreClock {
  private var last: WallTime
  private var sinceBoot: MediaTime

  /// Goes on from the last instant of an earlier process.
  init(after last: WallTime, at reading: Instant) {
    self.last = last
    sinceBoot = reading.sinceBoot
  }

  /// Readings may come in another order than they were taken in.
  mutating func advance(to reading: Instant) -> WallTime {
    if reading.sinceBoot > sinceBoot {
      last = last + (reading.sinceBoot - sinceBoot)
      sinceBoot = reading.sinceBoot
    }
    last = max(last, reading.wall)
    return last
  }
}
