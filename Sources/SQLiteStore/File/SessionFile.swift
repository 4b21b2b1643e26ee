import HoldfastMediaModel
import HoldfastSession
import HoldfastStores

/// The tables of a store, by a connection. One thread at a time uses it.
final class SessionFile {
  let connection: SQLiteConnection
  let epoch: Session.Epoch
  /// The last instant that the file knows.
  let instant: WallTime

  init(_ connection: SQLiteConnection) throws(SQLiteError) {
    let found = try connection.first("SELECT epoch, began, instant FROM store") { row in
      (
        Session.Epoch(number: row.count(0), began: row.optionalInteger(1).map { WallTime(nanoseconds: $0) }),
        WallTime(nanoseconds: row.integer(2))
      )
    }
    guard let found else { throw SQLiteError("select", "the table `store` is empty") }
    (epoch, instant) = found
    self.connection = connection
  }
}

// MARK: - Sessions

extension SessionFile {
  struct StoredSession: Hashable, Sendable {
    let id: Int64
    /// Nil of a session that was forgotten.
    let state: State?
    let numbers: Numbers
  }

  /// The number of the last version and of the last event.
  struct Numbers: Hashable, Sendable {
    var count: UInt64
    var sequence: UInt64
  }

  enum State: Hashable, Sendable {
    case text(String)
    case notUTF8
  }

  func session(_ key: SessionKey) throws(SQLiteError) -> StoredSession? {
    try connection.first(
      "SELECT id, state, count, sequence FROM sessions WHERE key = ?", .text(key.text)
    ) { row in
      let state = row.isNull(1) ? nil : row.text(1).map(State.text) ?? .notUTF8
      return StoredSession(
        id: row.integer(0), state: state, numbers: Numbers(count: row.count(2), sequence: row.count(3)))
    }
  }

  /// Those of an unknown session begin where none that was deleted has had higher ones.
  func numbers(of session: StoredSession?) throws(SQLiteError) -> Numbers {
    if let session { return session.numbers }
    let origin = try connection.first("SELECT count, sequence FROM store") {
      Numbers(count: $0.count(0), sequence: $0.count(1))
    }
    return origin ?? Numbers(count: 0, sequence: 0)
  }

  func dueSessions(until instant: WallTime) throws(SQLiteError) -> [String] {
    try connection.rows(
      "SELECT name FROM sessions WHERE due <= ? ORDER BY key", .integer(instant.nanoseconds)
    ) { $0.text(0) ?? "" }
  }

  func postpone(_ key: SessionKey, to due: WallTime?, count: UInt64) throws(SQLiteError) {
    try connection.run(
      "UPDATE sessions SET due = ? WHERE key = ? AND count = ?", SQLiteValue(due?.nanoseconds),
      .text(key.text),
      .count(count))
  }
}

// MARK: - Events and changes

extension SessionFile {
  func lastChange() throws(SQLiteError) -> UInt64 {
    try connection.first("SELECT change FROM store") { $0.count(0) } ?? 0
  }

  func sessionsChanged(after change: UInt64) throws(SQLiteError) -> [String] {
    try connection.rows("SELECT name FROM sessions WHERE change > ? ORDER BY key", .count(change)) {
      $0.text(0) ?? ""
    }
  }

  func firstEvent(of session: Int64) throws(SQLiteError) -> UInt64? {
    try connection.first(
      "SELECT sequence FROM events WHERE session = ? ORDER BY sequence LIMIT 1", .integer(session)
    ) { $0.count(0) }
  }

  func events(of session: Int64, after sequence: UInt64) throws(SQLiteError) -> [StoredEvent] {
    try connection.rows(
      "SELECT sequence, json FROM events WHERE session = ? AND sequence > ? ORDER BY sequence",
      .integer(session), .count(sequence)
    ) { row in
      StoredEvent(id: EventID(epoch: epoch.number, sequence: row.count(0)), json: row.text(1) ?? "null")
    }
  }
}

// MARK: - Requests

extension SessionFile {
  func known(_ request: StoreRequest, in session: Int64, at now: WallTime) throws(SQLiteError)
    -> KnownRequest?
  {
    try connection.first(
      "SELECT command, answer FROM requests WHERE session = ? AND sender = ? AND id = ? AND at > ?",
      .integer(session), .text(request.sender), .text(request.id),
      .integer((now - StoreRequest.memory).nanoseconds)
    ) { row in
      row.text(0) == request.command ? .answered(row.text(1) ?? "") : .idUsed
    }
  }
}

// MARK: - Beats

extension SessionFile {
  func beats() throws(SQLiteError) -> [StoredBeat] {
    try connection.rows(
      """
      SELECT key, session, count, beats.epoch, beats.sequence, at, statistics
      FROM beats JOIN sessions ON sessions.id = beats.session
      """
    ) { row in
      row.text(0).map { key in
        StoredBeat(
          key: SessionKey(stored: key), row: row.integer(1), count: row.count(2),
          lease: Session.Lease(epoch: row.count(3), sequence: row.count(4)),
          at: WallTime(nanoseconds: row.integer(5)), statistics: row.text(6))
      }
    }.compactMap(\.self)
  }

  func write(_ beats: [StoredBeat], at now: WallTime) throws(SQLiteError) {
    for beat in beats {
      try connection.run(
        "UPDATE beats SET at = ?, statistics = ? WHERE session = ? AND epoch = ? AND sequence = ?",
        .integer(beat.at.nanoseconds), SQLiteValue(beat.statistics), .integer(beat.row),
        .count(beat.lease.epoch), .count(beat.lease.sequence))
    }
    try connection.run("UPDATE store SET instant = ?", .integer(now.nanoseconds))
  }
}

/// The last beat of a lease, as the file has it.
struct StoredBeat: Hashable, Sendable {
  let key: SessionKey
  /// The session's row and version.
  let row: Int64
  let count: UInt64
  let lease: Session.Lease
  let at: WallTime
  let statistics: String?
}
