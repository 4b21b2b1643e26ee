import Foundation
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession
import HoldfastStores
import TestStores
import TestSupport
import Testing

@testable import HoldfastSQLiteStore

/// What waits for the disk, and what is done when the disk fails.
@Suite struct DurabilityTests {
  private func synchronous(_ store: TestStore) throws -> Int64? {
    try store.store.withFile { file throws(SQLiteError) in
      try file.connection.first("PRAGMA synchronous") { $0.integer(0) }
    }
  }

  private func log(_ store: TestStore) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: store.path + "-wal"))
  }

  @Test func `commits wait for the disk, groups of beats do not`() throws {
    var store = try TestStore()
    let lease = try store.join()
    #expect(try synchronous(store) == 2)
    store.pass(.seconds(2))
    _ = try store.beat(lease, statistics: nil, in: .hall)
    _ = try store.due(within: .zero)
    #expect(try synchronous(store) == 1)
    try store.command(.hall, .lock)
    #expect(try synchronous(store) == 2)
  }

  /// How many transactions a piece of SQLite's log ends.
  private func transactions(_ log: Data) -> Int {
    let frame = 24 + 4096
    return stride(from: log.startIndex, to: log.endIndex, by: frame).count { start in
      log[start + 4..<start + 8].contains { $0 != 0 }
    }
  }

  @Test func `commits that wait at a time share one sync, and each has its own answer`() throws {
    var store = try TestStore()
    let names = try (1...4).map { try Session.Name("Hall \($0)") }
    for name in names { try store.join(name, "anna") }
    let length = try log(store).count
    // The last two are on one version of one session.
    let commits = try (names + [names[3]]).enumerated().map { number, name in
      let request = StoreRequest(sender: "anna", id: "\(number)", command: "limit")
      return try StoreCommit(
        store.load(name, asking: nil), .limit(.seconds(60)), by: .host("anna"), request: request, answer: "")
    }
    let handle = store.store
    let results = Locked<[CommitResult?]>([])
    let threads = (0..<commits.count).map { _ in ThreadSlot() }
    try handle.withFile { _ throws(SQLiteError) in
      for (number, commit) in commits.enumerated() {
        try? threads[number].start(name: "commit-\(number)") {
          let result = try? handle.commit(commit)
          results.withLock { $0.append(result) }
        }
        // In order, so that it is known which of the two comes first.
        #expect(eventually { handle.waiting.withLock { $0.count > number } })
      }
    }
    for thread in threads { thread.join() }
    #expect(results.withLock { $0.count { $0 == .conflict } } == 1)
    #expect(results.withLock { $0.count { if case .committed = $0 { true } else { false } } } == 4)
    #expect(try transactions(log(store)[length...]) == 1)
    for name in names {
      #expect(try store.load(name, asking: nil).session.meeting?.timer.length == .seconds(60))
    }
  }

  @Test func `after a failed sync the log is moved into the file before anything is added to it`() throws {
    var store = try TestStore(joined: "anna")
    for length in 1...20 as ClosedRange<Int64> { try store.command(.hall, .limit(.seconds(length))) }
    let before = try log(store).count
    #expect(throws: StoreError.self) {
      try store.store.withFile { file throws(SQLiteError) in
        try file.connection.transaction { () throws(SQLiteError) in
          throw SQLiteError("commit", code: 10, "disk I/O error")
        }
      }
    }
    try store.command(.hall, .lock)
    #expect(try log(store).count < before / 4)
    #expect(try store.load(.hall, asking: nil).session.meeting?.isLocked == true)
  }

  @Test(
    arguments: [
      (13, 0, "full"), (8, 0, "readOnly"), (8 | 5 << 8, 0, "readOnly"), (5, 0, "lost"), (6, 0, "lost"),
      (10 | 3 << 8, 28, "full"), (10 | 19 << 8, 122, "full"), (10 | 3 << 8, 30, "readOnly"),
      (10 | 4 << 8, 5, "failed"),
      (14, 30, "readOnly"), (14, 13, "readOnly"), (11, 0, "failed"), (26, 0, "failed"), (1, 0, "failed"),
    ] as [(Int32, Int32, String)])
  func `each failure of SQLite is a trouble of the store`(code: Int32, system: Int32, expected: String) {
    let error = SQLiteError("commit", code: code, "in its own words", system: system)
    #expect("\(error.trouble)".hasPrefix(expected + "("))
    #expect(error.trouble.reason.contains("in its own words"))
  }
}
