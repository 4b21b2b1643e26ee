import HoldfastPlatform

extension SQLiteStore {
  /// Copies a store to a new file, whole and as it is at one instant, also while another process has it open.
  ///
  /// The copy is marked: as it lacks what is committed after it, the store that opens it begins a new epoch. A copy made
  /// in another way, by `cp` or from a snapshot of the disk, can't be told from the store itself: who was removed since
  /// would be in again, and members would keep leases that the lost commits gave or ended. A copy takes the place of
  /// a store while no hub runs, and without the log (`-wal`) that the store may have left.
  package static func backup(from path: String, to target: String) throws(SQLiteStoreError) {
    let source = absolutePath(path)
    guard fileExists(source) else { throw .missing(path) }
    guard !isTaken(target) else { throw .exists(target) }
    var unfinished = try named(target) { () throws(SystemError) in
      let unfinished = try UnfinishedFile(name: target, permissions: 0o600)
      try unfinished.file.restrictToOwner()
      return unfinished
    }
    let part = absolutePath(UnfinishedFile.path(for: target))
    defer { for log in ["-wal", "-shm", "-journal"] { removeFile(part + log) } }
    try copy(from: source, to: part)
    do throws(SystemError) {
      try unfinished.finish()
    } catch {
      if error.alreadyExists { throw .exists(target) }
      throw SQLiteStoreError(target, error)
    }
  }

  private static func copy(from source: String, to part: String) throws(SQLiteStoreError) {
    // By SQLite alone: closing another descriptor of the file would end the locks of a store that this process has open.
    let store = try named(source) { () throws(SQLiteError) in try SQLiteConnection(source, .reading) }
    let isStore: Bool
    do throws(SQLiteError) {
      isStore = try store.isStore()
    } catch {
      guard error.isOfForeignFile else { throw SQLiteStoreError(source, error) }
      isStore = false
    }
    guard isStore else { throw .foreign(source) }
    try named(part) { () throws(SQLiteError) in
      try store.copy(to: SQLiteConnection(part, .writing))
      try SQLiteConnection(part, .writing).markAsCopy()
    }
  }
}
