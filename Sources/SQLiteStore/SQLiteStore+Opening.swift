package import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession
package import HoldfastStores

extension SQLiteStore {
  /// Opens the store in a file, which is created with its folder if it is missing. One store at a time has a file open.
  package static func open(
    _ path: String, sessions: (any KnownSessions)? = nil, clock: @escaping @Sendable () -> Instant = { .now }
  ) throws(SQLiteStoreError) -> SQLiteStore {
    try open(path, schema: .current, sessions: sessions, clock: clock)
  }

  static func open(
    _ path: String, schema: SessionSchema, sessions: (any KnownSessions)? = nil,
    clock: @escaping @Sendable () -> Instant
  ) throws(SQLiteStoreError) -> SQLiteStore {
    let path = try named(path) { () throws(SystemError) in try resolve(path) }
    let lock = try lock(path)
    let isCopy = try prepare(path, schema, at: clock())
    let connection = try named(path) { () throws(SQLiteError) in try SQLiteConnection(path, .writing) }
    // The header may be older than the log.
    let found = try named(path) { () throws(SQLiteError) in try schema.version(of: connection) }
    guard found <= schema.version else { throw .newer(path, found: found, known: schema.version) }
    do throws(SQLiteError) {
      // Before there is a log, so that a log beside a copy can only be another file's.
      if isCopy {
        try schema.migrate(connection)
        try connection.beginEpoch(at: clock())
      }
      try connection.configure()
      if found < schema.version {
        try schema.migrate(connection)
        try connection.checkpoint()
      }
      let reader = try SQLiteConnection(path, .reading)
      return try SQLiteStore(
        SessionFile(connection), reader: SessionFile(reader), lock: lock, sessions: sessions, clock: clock)
    } catch {
      throw SQLiteStoreError(path, error)
    }
  }

  private static func resolve(_ path: String) throws(SystemError) -> String {
    let path = absolutePath(path)
    try createDirectory(folder(of: path), permissions: 0o700)
    if fileExists(path) { return try realPath(path) }
    let name = path.split(separator: "/").last ?? ""
    return try realPath(folder(of: path)) + "/" + name
  }

  /// Beside the file, as a lock on the file itself would keep `backup` out.
  private static func lock(_ path: String) throws(SQLiteStoreError) -> FileLock {
    do throws(FileLock.Failure) {
      return try FileLock(path + ".lock")
    } catch {
      switch error {
      case .held(let process): throw .inUse(path, by: process)
      case .system(let error): throw SQLiteStoreError(path, error)
      }
    }
  }
}

// MARK: - What is there

extension SQLiteStore {
  /// Creates the file if there is none, and refuses one that is not ours; returns whether it is a copy.
  private static func prepare(
    _ path: String, _ schema: SessionSchema, at reading: Instant
  ) throws(SQLiteStoreError) -> Bool {
    guard let found = try header(path) else {
      for log in ["-wal", "-journal"] where hasContents(path + log) {
        throw .foreignLog(path, log: path + log, isMissing: true)
      }
      try create(path, schema, at: reading)
      return false
    }
    switch found {
    case .empty: throw .empty(path)
    case .foreign: throw .foreign(path)
    case .database(let header):
      guard header.isOurs else { throw .foreign(path) }
      let isCopy = header.applicationID == SessionSchema.copyID
      guard header.version <= schema.version else {
        throw .newer(path, found: header.version, known: schema.version)
      }
      if isCopy, hasContents(path + "-wal") { throw .foreignLog(path, log: path + "-wal", isMissing: false) }
      return isCopy
    }
  }

  /// Nil if there is no file. One of ours is then its owner's alone.
  private static func header(_ path: String) throws(SQLiteStoreError) -> DatabaseHeader.Found? {
    try named(path) { () throws(SystemError) in
      do throws(SystemError) {
        let file = try FileDescriptor.openForReading(path, followsLink: false)
        let found = try DatabaseHeader.read(file)
        if case .database(let header) = found, header.isOurs { try file.restrictToOwner() }
        return found
      } catch  where error.isNotFound {
        return nil
      }
    }
  }

  private static func hasContents(_ path: String) -> Bool {
    ((try? FileDescriptor.openForReading(path).size()) ?? 0) > 0
  }

  /// Makes the file under another name, so that it is whole or not there.
  private static func create(
    _ path: String, _ schema: SessionSchema, at reading: Instant
  ) throws(SQLiteStoreError) {
    var unfinished = try named(path) { () throws(SystemError) in
      let unfinished = try UnfinishedFile(name: path, permissions: 0o600)
      try unfinished.file.restrictToOwner()
      return unfinished
    }
    try named(path) { () throws(SQLiteError) in
      try SQLiteConnection(UnfinishedFile.path(for: path), .writing).build(schema, at: reading.wall)
    }
    try mapError(unfinished.finish()) { (error: SystemError) in SQLiteStoreError(path, error) }
  }
}
