import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession
import HoldfastStores
import TestStores
import TestSupport
import Testing

@testable import HoldfastSQLiteStore

/// Copies of a store, made while it is in use.
@Suite struct BackupTests {
  private func names(beside path: String) throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: (path as NSString).deletingLastPathComponent))
  }

  @Test func `a copy has what was committed, alone in its file, and is its owner's`() throws {
    let store = try TestStore(joined: "anna")
    let before = try names(beside: store.path)
    let copy = try store.backup()
    #expect(try names(beside: store.path).subtracting(before) == ["copy.sqlite"])
    #expect(try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? Int == 0o600)
    let opened = try store.open(copy)
    #expect(try opened.load(.hall, asking: nil).session.meeting?.members.count == 1)
  }

  @Test func `copies made beside commits are whole, and none lacks what was answered before it`() throws {
    var store = try TestStore(joined: "anna")
    let answered = Locked(try store.load(.hall, asking: nil).version.count)
    let handle = store.store
    let committer = RepeatingThread(every: 0) {
      var hub = handle
      guard (try? hub.command(.hall, .limit(.seconds(Int64.random(in: 1...80_000))))) != nil else { return }
      let count = try? hub.load(.hall, asking: nil).version.count
      answered.withLock { $0 = count ?? 0 }
    }
    for number in 1...10 {
      let before = answered.withLock { $0 }
      let copy = try store.backup("copy\(number)")
      let opened = try store.open(copy)
      let count = try opened.load(.hall, asking: nil).version.count
      #expect(count >= before)
      opened.close()
    }
    committer.finish()
    #expect(answered.withLock { $0 } > 10)
  }

  @Test func `the store goes on in its epoch, the copy begins one`() throws {
    var store = try TestStore()
    let lease = try store.join()
    let copy = try store.backup()
    store.pass(.seconds(60))
    #expect(try store.beat(lease, statistics: nil, in: .hall) != nil)
    let opened = try store.open(copy)
    let epoch = try opened.load(.hall, asking: nil).session.epoch
    #expect(epoch == Session.Epoch(number: 1_800_000_060_000, began: store.clock.now.wall))
    #expect(try opened.beat(lease, statistics: nil, in: .hall) == nil)
    #expect(try opened.read(.hall, after: EventID(epoch: epoch.number, sequence: 0)) == .reset)
    opened.close()
    // It is a store like any other from now on, still with the beginning of its epoch.
    let again = try store.open(copy)
    #expect(try again.load(.hall, asking: nil).session.epoch == epoch)
  }

  @Test func `a copy of a copy begins an epoch, too, and a later one`() throws {
    let store = try TestStore()
    let second = store.file("second")
    try SQLiteStore.backup(from: store.backup("first"), to: second)
    let one = try store.open(second)
    let number = try one.load(.hall, asking: nil).session.epoch.number
    one.close()
    let third = store.file("third")
    try SQLiteStore.backup(from: second, to: third)
    #expect(try store.open(third).load(.hall, asking: nil).session.epoch.number == number + 1)
  }

  @Test func `a store that nobody has open can be copied`() throws {
    var store = try TestStore(joined: "anna")
    store.store.close()
    let copy = try store.backup()
    #expect(try store.open(copy).load(.hall, asking: nil).session.meeting != nil)
    try store.reopen()
  }

  @Test func `a copy replaces no file`() throws {
    let store = try TestStore()
    let taken = store.file("taken")
    try "mine".write(toFile: taken, atomically: true, encoding: .utf8)
    #expect(failure { () throws(SQLiteStoreError) in try store.backup("taken") }?.kind == .exists)
    #expect(try String(contentsOfFile: taken, encoding: .utf8) == "mine")
  }

  @Test func `what is no store is not copied, and leaves no half file`() throws {
    let scratch = ScratchFolder()
    let notes = try scratch.write(String(repeating: "no database ", count: 1000), to: "notes.txt")
    let other = try scratch.write("", to: "other.sqlite")
    try SQLiteConnection(other, .writing).execute("CREATE TABLE mine (x)")
    let missing = scratch.file("missing")
    for (source, kind) in [(notes, SQLiteStoreFault.foreign), (other, .foreign), (missing, .missing)] {
      let error = failure { () throws(SQLiteStoreError) in
        try SQLiteStore.backup(from: source, to: scratch.file("copy"))
      }
      #expect(error?.kind == kind)
    }
    #expect(try names(beside: notes) == ["notes.txt", "other.sqlite"])
  }

  @Test func `a copy is not opened with the log of the store whose place it takes`() throws {
    let store = try TestStore(joined: "anna")
    let copy = try store.backup()
    // As a killed hub leaves it.
    try FileManager.default.copyItem(atPath: store.path + "-wal", toPath: copy + "-wal")
    let error = #expect(throws: SQLiteStoreError.self) { try store.open(copy) }
    #expect(error?.kind == .foreignLog)
    #expect(error?.hint == "remove \(copy)-wal and \(copy)-shm")
    try FileManager.default.removeItem(atPath: copy + "-wal")
    try store.open(copy).close()
  }
}
