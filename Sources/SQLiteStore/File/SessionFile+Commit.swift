import HoldfastMediaModel
import HoldfastSession
import HoldfastStores

extension SessionFile {
  /// What a commit writes, beside the beats of all sessions.
  struct Writing {
    let commit: StoreCommit
    let key: SessionKey
    /// Nil to forget the session.
    let state: String?
    let before: Numbers
    let now: WallTime

    var after: Numbers {
      Numbers(count: before.count + 1, sequence: before.sequence + UInt64(commit.events.count))
    }
  }

  /// Returns the session's row.
  func write(_ writing: Writing) throws(SQLiteError) -> Int64 {
    let change = try nextChange()
    let row = try writeSession(writing, change)
    try write(writing.commit.presence, of: row, at: writing.now)
    try write(writing.commit.events, of: row, after: writing.before.sequence)
    try write(writing.commit.request, answer: writing.commit.answer, of: row, at: writing.now)
    if change % Self.cleanInterval == 0 { try clean(before: change) }
    return row
  }

  private func nextChange() throws(SQLiteError) -> UInt64 {
    try connection.first("UPDATE store SET change = change + 1 RETURNING change") { $0.count(0) } ?? 0
  }

  private func writeSession(_ writing: Writing, _ change: UInt64) throws(SQLiteError) -> Int64 {
    let row = try connection.first(
      """
      INSERT INTO sessions (key, name, state, count, sequence, change, due) VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (key) DO UPDATE SET
        name = excluded.name, state = excluded.state, count = excluded.count, sequence = excluded.sequence,
        change = excluded.change, due = excluded.due
      RETURNING id
      """,
      .text(writing.key.text), .text(writing.commit.name.text), SQLiteValue(writing.state),
      .count(writing.after.count), .count(writing.after.sequence), .count(change),
      SQLiteValue(writing.commit.due?.nanoseconds)
    ) { $0.integer(0) }
    guard let row else { throw SQLiteError("insert", "no row was written") }
    return row
  }

  private func write(
    _ presence: [Session.PresenceChange], of row: Int64, at now: WallTime
  ) throws(SQLiteError) {
    for change in presence {
      switch change {
      case .add(_, let lease):
        try connection.run(
          "INSERT OR REPLACE INTO beats (session, epoch, sequence, at) VALUES (?, ?, ?, ?)", .integer(row),
          .count(lease.epoch), .count(lease.sequence), .integer(now.nanoseconds))
      case .remove(_, let lease), .expire(_, let lease):
        try connection.run(
          "DELETE FROM beats WHERE session = ? AND epoch = ? AND sequence = ?", .integer(row),
          .count(lease.epoch), .count(lease.sequence))
      }
    }
  }

  private func write(_ events: [String], of row: Int64, after last: UInt64) throws(SQLiteError) {
    guard !events.isEmpty else { return }
    for (index, json) in events.enumerated() {
      try connection.run(
        "INSERT INTO events (session, sequence, json) VALUES (?, ?, ?)", .integer(row),
        .count(last + 1 + UInt64(index)), .text(json))
    }
    try connection.run(
      "DELETE FROM events WHERE session = ? AND sequence <= ? - ?", .integer(row),
      .count(last + UInt64(events.count)), .integer(Int64(EventPage.memory)))
  }

  private func write(
    _ request: StoreRequest?, answer: String, of row: Int64, at now: WallTime
  ) throws(SQLiteError) {
    try connection.run(
      "DELETE FROM requests WHERE at <= ?", .integer((now - StoreRequest.memory).nanoseconds))
    guard let request else { return }
    try connection.run(
      "INSERT INTO requests (session, sender, id, command, answer, at) VALUES (?, ?, ?, ?, ?, ?)",
      .integer(row), .text(request.sender), .text(request.id), .text(request.command), .text(answer),
      .integer(now.nanoseconds))
  }
}

// MARK: - Rows of forgotten sessions

extension SessionFile {
  private static let cleanInterval: UInt64 = 256

  private static let isOutdated = """
    state IS NULL AND change < ? AND NOT EXISTS (SELECT 1 FROM requests WHERE session = sessions.id)
    """

  /// Deletes what remains of forgotten sessions that no reader of changes and no repeated request can ask for.
  private func clean(before change: UInt64) throws(SQLiteError) {
    guard change > UInt64(ChangePage.memory) else { return }
    let limit = SQLiteValue.count(change - UInt64(ChangePage.memory))
    let highest = try connection.first(
      "SELECT max(count), max(sequence) FROM sessions WHERE \(Self.isOutdated)", limit
    ) { $0.isNull(0) ? nil : ($0.count(0), $0.count(1)) }
    guard let (count, sequence) = highest.flatMap({ $0 }) else { return }
    try connection.run(
      "UPDATE store SET count = max(count, ?), sequence = max(sequence, ?)", .count(count), .count(sequence))
    try connection.run("DELETE FROM sessions WHERE \(Self.isOutdated)", limit)
  }
}
