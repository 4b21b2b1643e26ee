import HoldfastCSQLite

/// A connection to a database: the one owner of its handle. Its own owner lets one thread use it at a time.
final class SQLiteConnection {
  enum Access { case reading, writing }

  /// Whether a commit waits until the disk has it.
  enum Durability: String { case full = "FULL", normal = "NORMAL" }

  private let raw: OpaquePointer
  private var statements: [String: SQLiteStatement] = [:]
  private var durability = Durability.full
  private var needsCheckpoint = false

  private static let busyMilliseconds: Int32 = 1000

  /// An absolute path, as SQLite takes one that begins with `file:` for a URI.
  init(_ path: String, _ access: Access) throws(SQLiteError) {
    let flags = access == .reading ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
    var raw: OpaquePointer?
    let code = sqlite3_open_v2(path, &raw, flags | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let raw else {
      let error = SQLiteError("open", code, raw)
      sqlite3_close(raw)
      throw error
    }
    // SQLite opens what it may not write to, too.
    guard access == .reading || sqlite3_db_readonly(raw, "main") == 0 else {
      sqlite3_close(raw)
      throw SQLiteError("open", SQLITE_READONLY, nil)
    }
    sqlite3_extended_result_codes(raw, 1)
    sqlite3_busy_timeout(raw, Self.busyMilliseconds)
    self.raw = raw
  }

  deinit {
    statements.removeAll()
    sqlite3_close(raw)
  }

  /// Runs statements without values.
  func execute(_ script: String) throws(SQLiteError) {
    let code = sqlite3_exec(raw, script, nil, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteError(SQLiteStatement.operation(script), code, raw) }
  }

  func run(_ sql: String, _ values: SQLiteValue...) throws(SQLiteError) {
    try statement(sql).run(values) { _ in }
  }

  func rows<T>(_ sql: String, _ values: SQLiteValue..., read: (SQLiteRow) -> T) throws(SQLiteError) -> [T] {
    var rows: [T] = []
    try statement(sql).run(values) { rows.append(read($0)) }
    return rows
  }

  func first<T>(_ sql: String, _ values: SQLiteValue..., read: (SQLiteRow) -> T) throws(SQLiteError) -> T? {
    var first: T?
    try statement(sql).run(values) { if first == nil { first = read($0) } }
    return first
  }

  private func statement(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    if let known = statements[sql] { return known }
    let statement = try SQLiteStatement(sql, on: raw)
    statements[sql] = statement
    return statement
  }

  /// Copies the whole database, as it is at one instant, into an empty one.
  func copy(to target: SQLiteConnection) throws(SQLiteError) {
    guard let backup = sqlite3_backup_init(target.raw, "main", raw, "main") else {
      throw SQLiteError("backup", sqlite3_errcode(target.raw), target.raw)
    }
    let code = sqlite3_backup_step(backup, -1)
    sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE else { throw SQLiteError("backup", code, target.raw) }
  }
}

// MARK: - Transactions

extension SQLiteConnection {
  /// Does all of `body` or nothing.
  func transaction<T>(
    _ durability: Durability = .full, _ body: () throws(SQLiteError) -> T
  ) throws(SQLiteError) -> T {
    do throws(SQLiteError) {
      try repair()
      try set(durability)
      try run("BEGIN IMMEDIATE")
      let result = try body()
      try run("COMMIT")
      return result
    } catch {
      if error.isOfDisk { needsCheckpoint = true }
      if sqlite3_get_autocommit(raw) == 0 { try? run("ROLLBACK") }
      throw error
    }
  }

  /// Reads one state of the database, whatever is committed meanwhile.
  func snapshot<T>(_ body: () throws(SQLiteError) -> T) throws(SQLiteError) -> T {
    try run("BEGIN")
    defer { if sqlite3_get_autocommit(raw) == 0 { try? run("ROLLBACK") } }
    return try body()
  }

  private func set(_ durability: Durability) throws(SQLiteError) {
    guard durability != self.durability else { return }
    try execute("PRAGMA synchronous=\(durability.rawValue)")
    self.durability = durability
  }

  /// After a failed sync the kernel may have dropped what was written before it, and says so only once. A log with a
  /// hole would end there, so all of it has to be in the database before it is written on.
  private func repair() throws(SQLiteError) {
    guard needsCheckpoint else { return }
    try checkpoint()
    needsCheckpoint = false
  }

  /// Moves the whole log into the database.
  func checkpoint() throws(SQLiteError) {
    let isBusy = try first("PRAGMA wal_checkpoint(TRUNCATE)") { $0.integer(0) != 0 }
    guard isBusy == false else {
      throw SQLiteError("checkpoint", code: SQLITE_BUSY, "another process reads the database")
    }
  }
}
