/// The form of the tables, and how an older one becomes the present one.
struct SessionSchema: Hashable, Sendable {
  /// The first step makes form 1 of an empty file, each further one the next form.
  let steps: [String]

  static let current = SessionSchema(steps: [first])

  /// In the header of each file of ours ("HFss").
  static let applicationID: Int32 = 0x4846_7373
  /// Of a copy, until it is opened as a store ("HFsc").
  static let copyID: Int32 = 0x4846_7363

  var version: Int64 { Int64(steps.count) }

  /// Takes the missing steps, all in one transaction.
  func migrate(_ connection: SQLiteConnection) throws(SQLiteError) {
    let found = try version(of: connection)
    guard found < version else { return }
    try connection.transaction { () throws(SQLiteError) in
      for step in steps[Int(found)...] { try connection.execute(step) }
      try connection.execute("PRAGMA user_version=\(version)")
    }
  }

  func version(of connection: SQLiteConnection) throws(SQLiteError) -> Int64 {
    try connection.first("PRAGMA user_version") { $0.integer(0) } ?? 0
  }

  /// Numbers of rows that were deleted are never given again: `store` has the highest of them. Instants are nanoseconds.
  private static let first = """
    CREATE TABLE store (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      epoch INTEGER NOT NULL,
      began INTEGER,
      instant INTEGER NOT NULL,
      change INTEGER NOT NULL DEFAULT 0,
      count INTEGER NOT NULL DEFAULT 0,
      sequence INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE TABLE sessions (
      id INTEGER PRIMARY KEY,
      key TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      state TEXT,
      count INTEGER NOT NULL,
      sequence INTEGER NOT NULL,
      change INTEGER NOT NULL,
      due INTEGER
    ) STRICT;
    CREATE INDEX sessions_by_change ON sessions (change);
    CREATE INDEX sessions_by_due ON sessions (due) WHERE due IS NOT NULL;
    CREATE INDEX sessions_forgotten ON sessions (change) WHERE state IS NULL;
    CREATE TABLE beats (
      session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
      epoch INTEGER NOT NULL,
      sequence INTEGER NOT NULL,
      at INTEGER NOT NULL,
      statistics TEXT,
      PRIMARY KEY (session, epoch, sequence)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE events (
      session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
      sequence INTEGER NOT NULL,
      json TEXT NOT NULL,
      PRIMARY KEY (session, sequence)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE requests (
      session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
      sender TEXT NOT NULL,
      id TEXT NOT NULL,
      command TEXT NOT NULL,
      answer TEXT NOT NULL,
      at INTEGER NOT NULL,
      PRIMARY KEY (session, sender, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX requests_by_time ON requests (at);
    """
}
