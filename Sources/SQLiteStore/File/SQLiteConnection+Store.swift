import HoldfastMediaModel
import HoldfastSession

extension SQLiteConnection {
  /// For a store that is in use.
  func configure() throws(SQLiteError) {
    let mode = try first("PRAGMA journal_mode=WAL") { $0.text(0) }
    guard mode == "wal" else {
      throw SQLiteError(
        "pragma", "its file system has no shared memory, which several readers need; use a local one")
    }
    try execute(
      """
      PRAGMA synchronous=FULL;
      PRAGMA foreign_keys=ON;
      PRAGMA temp_store=MEMORY;
      PRAGMA trusted_schema=OFF;
      PRAGMA journal_size_limit=16777216
      """)
  }

  /// Without a journal, as nobody has seen the file yet.
  func build(_ schema: SessionSchema, at now: WallTime) throws(SQLiteError) {
    try execute("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF")
    try schema.migrate(self)
    try run(
      "INSERT INTO store (id, epoch, instant) VALUES (1, ?, ?)", .count(Self.milliseconds(now)),
      .integer(now.nanoseconds))
    try execute("PRAGMA application_id=\(SessionSchema.applicationID)")
  }

  /// Makes a store of a copy, which lacks what was committed after it was made.
  func beginEpoch(at reading: Instant) throws(SQLiteError) {
    try transaction { () throws(SQLiteError) in
      let last = try first("SELECT epoch, instant FROM store") {
        (epoch: $0.count(0), instant: WallTime(nanoseconds: $0.integer(1)))
      }
      guard let last else { throw SQLiteError("select", "the table `store` is empty") }
      let now = max(last.instant, reading.wall)
      try run(
        "UPDATE store SET epoch = ?, began = ?, instant = ?",
        .count(max(last.epoch + 1, Self.milliseconds(now))),
        .integer(now.nanoseconds), .integer(now.nanoseconds))
      // Nobody can read those of an earlier epoch.
      try execute("DELETE FROM events")
      try execute("PRAGMA application_id=\(SessionSchema.applicationID)")
    }
  }

  private static func milliseconds(_ time: WallTime) -> UInt64 {
    UInt64(max(0, time.nanoseconds / 1_000_000))
  }

  /// Makes a whole copy one that begins an epoch when it is opened as a store.
  func markAsCopy() throws(SQLiteError) {
    let mode = try first("PRAGMA journal_mode=DELETE") { $0.text(0) }
    let findings = try rows("PRAGMA quick_check") { $0.text(0) ?? "" }
    guard mode == "delete", findings == ["ok"] else {
      throw SQLiteError("backup", "the copy is damaged: \(findings.first ?? "no answer")")
    }
    try execute("PRAGMA synchronous=OFF; PRAGMA application_id=\(SessionSchema.copyID)")
  }

  func isStore() throws(SQLiteError) -> Bool {
    let id = try first("PRAGMA application_id") { $0.integer(0) }
    return [SessionSchema.applicationID, SessionSchema.copyID].contains { Int64($0) == id }
  }
}
