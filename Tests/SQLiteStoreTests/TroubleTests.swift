import Foundation
import Glibc
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastSession
import HoldfastStores
import TestStores
import TestSupport
import Testing

@testable import HoldfastSQLiteStore

/// A file system of 2 MB, as root may mount one.
private final class SmallDisk {
  let scratch = ScratchFolder()
  var path: String { scratch.path }

  init?() {
    guard mount("tmpfs", scratch.path, "tmpfs", 0, "size=2m") == 0 else { return nil }
  }

  deinit { umount2(scratch.path, Self.detach) }

  // The macros of sys/mount.h, which Swift does not import.
  private static let detach: Int32 = 2
  private static let (readOnly, remount): (UInt, UInt) = (1, 32)

  static let isPossible = SmallDisk() != nil

  func makeReadOnly(_ isReadOnly: Bool) -> Bool {
    mount("tmpfs", path, "tmpfs", Self.remount | (isReadOnly ? Self.readOnly : 0), "size=2m") == 0
  }

  func fill() {
    let file = FileManager.default.createFile(atPath: path + "/ballast", contents: nil)
    guard file, let handle = FileHandle(forWritingAtPath: path + "/ballast") else { return }
    while (try? handle.write(contentsOf: Data(count: 4096))) != nil {}
    try? handle.close()
  }

  func makeRoom() throws { try FileManager.default.removeItem(atPath: path + "/ballast") }
}

/// Disks that are full, read-only or damaged.
@Suite struct TroubleTests {
  /// Commits until the disk is full; returns the last length that was answered.
  private func fill(_ store: inout SQLiteStore) throws -> (length: Int64, trouble: StoreTrouble?) {
    for length in 1...20_000 as ClosedRange<Int64> {
      if let trouble = trouble({ try store.command(.hall, .limit(.seconds(length))) }) {
        return (length - 1, trouble)
      }
    }
    return (0, nil)
  }

  @Test(.enabled(if: SmallDisk.isPossible, "only root may mount a small file system"))
  func `a full disk changes nothing, and the store works on when there is room`() throws {
    let disk = try #require(SmallDisk())
    let path = disk.path + "/sessions.sqlite"
    var store = try SQLiteStore.open(path)
    let lease = try store.join()
    try store.command(.hall, .limit(.seconds(1)))
    disk.fill()
    let full = try fill(&store)
    #expect(full.trouble?.isFull == true, "\(full)")
    let loaded = try store.load(.hall, asking: nil)
    #expect(loaded.session.meeting?.timer.length == .seconds(max(1, full.length)))
    #expect(try store.beat(lease, statistics: nil, in: .hall) == loaded.version)
    // As after a crash on the full disk.
    let copy = ScratchFolder()
    for log in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: path + log, toPath: copy.file("sessions.sqlite") + log)
    }
    let kept = try SQLiteStore.open(copy.file("sessions.sqlite"))
    #expect(try kept.load(.hall, asking: nil).session == loaded.session)
    try disk.makeRoom()
    #expect(try store.command(.hall, .limit(.seconds(77_777))) == .done("timer"))
    store.close()
    store = try SQLiteStore.open(path)
    #expect(try store.load(.hall, asking: nil).session.meeting?.timer.length == .seconds(77_777))
    store.close()
  }

  @Test(.enabled(if: SmallDisk.isPossible, "only root may mount a small file system"))
  func `a copy that does not fit leaves no half file`() throws {
    let disk = try #require(SmallDisk())
    let store = try TestStore(joined: "anna")
    disk.fill()
    let error = #expect(throws: SQLiteStoreError.self) {
      try SQLiteStore.backup(from: store.path, to: disk.path + "/copy.sqlite")
    }
    #expect(error?.hint == "free some space")
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == ["ballast"])
  }

  @Test(.enabled(if: SmallDisk.isPossible, "only root may mount a small file system"))
  func `a store can't be opened on a disk that is read-only, and says so`() throws {
    let disk = try #require(SmallDisk())
    let path = disk.path + "/sessions.sqlite"
    try SQLiteStore.open(path).close()
    try #require(disk.makeReadOnly(true))
    let error = #expect(throws: SQLiteStoreError.self) { try SQLiteStore.open(path) }
    #expect(error?.description.contains("Read-only file system") == true, "\(error.debugDescription)")
    try #require(disk.makeReadOnly(false))
    try SQLiteStore.open(path).close()
  }

  @Test func `a database that may not grow refuses commits whole`() throws {
    let store = try TestStore()
    var hub = store.store
    try hub.join()
    // SQLite takes it for no less than there is.
    try store.store.withFile { file throws(SQLiteError) in
      try file.connection.execute("PRAGMA max_page_count=1")
    }
    let data = JSONValue.text(String(repeating: "x", count: 8000))
    let event = Session.Command.event(try Session.CustomEvent(name: "big", data: data))
    var answered = 0
    var found: StoreTrouble?
    while found == nil, answered < 50 {
      found = trouble { try hub.command(.hall, event) }
      answered += found == nil ? 1 : 0
    }
    #expect(found?.isFull == true, "\(found.debugDescription)")
    let last = try hub.load(.hall, asking: nil).lastEvent
    try store.store.withFile { file throws(SQLiteError) in
      try file.connection.execute("PRAGMA max_page_count=100000")
    }
    try hub.command(.hall, event)
    #expect(try hub.load(.hall, asking: nil).lastEvent.sequence == last.sequence + 1)
  }

  @Test func `another process that writes is waited for a second, then the store is away`() throws {
    let store = try TestStore()
    var hub = store.store
    try hub.join()
    let other = try SQLiteConnection(store.path, .writing)
    try other.execute("BEGIN IMMEDIATE")
    guard case .lost(let reason) = trouble({ try hub.command(.hall, .lock) }) else {
      Issue.record("the store is not away")
      return
    }
    #expect(reason.contains("database is locked"))
    try other.execute("ROLLBACK")
    #expect(try hub.command(.hall, .lock) == .done("locked"))
  }

  @Test func `a session whose text is damaged can't be read, and stays as it is`() throws {
    var store = try TestStore(joined: "anna")
    let connection = try SQLiteConnection(store.path, .writing)
    try connection.execute("UPDATE sessions SET state = CAST(x'7BFF7D' AS TEXT)")
    #expect(throws: StoreError.unreadable(.notJSON)) { try store.load(.hall, asking: nil) }
    try store.reopen()
    #expect(throws: StoreError.unreadable(.notJSON)) { try store.load(.hall, asking: nil) }
    #expect(try connection.first("SELECT hex(state) FROM sessions") { $0.text(0) } == "7BFF7D")
  }
}
