import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession
import HoldfastStores
import TestStores
import TestSupport
import Testing

@testable import HoldfastSQLiteStore

/// The clocks of a machine, set by a test.
final class SetClock: Sendable {
  private let instant = Locked(
    Instant(
      monotonic: MonotonicTime(nanoseconds: 0), sinceBoot: .zero,
      wall: WallTime(nanoseconds: 1_800_000_000_000_000_000)))

  var now: Instant { instant.withLock { $0 } }

  func pass(_ length: MediaTime) {
    instant.withLock { instant in
      instant.monotonic = instant.monotonic + length
      instant.sinceBoot = instant.sinceBoot + length
      instant.wall = instant.wall + length
    }
  }

  /// Sets the wall clock alone.
  func set(by length: MediaTime) { instant.withLock { $0.wall = $0.wall + length } }
}

/// An SQLite store in a scratch folder, whose time a test lets pass.
struct TestStore: Store {
  let clock: SetClock
  private(set) var path: String
  private(set) var store: SQLiteStore
  private let scratch: ScratchFolder
  /// The file is closed and opened again before so many verbs, then before one in twenty.
  private var reopenings: Int
  private var verbs = 0

  /// A host of the key `joined` is in the session of most tests.
  init(reopenings: Int = 0, joined key: String? = nil) throws {
    let scratch = ScratchFolder()
    let clock = SetClock()
    let path = scratch.file("sessions.sqlite")
    (self.scratch, self.clock, self.path, self.reopenings) = (scratch, clock, path, reopenings)
    store = try SQLiteStore.open(path, clock: { clock.now })
    if let key { try store.join(.hall, key) }
  }

  func file(_ name: String) -> String { scratch.file(name) }

  /// Like an orderly restart of the hub.
  mutating func reopen() throws(SQLiteStoreError) {
    store.close()
    store = try SQLiteStore.open(path, clock: { [clock] in clock.now })
  }

  /// A copy of the store, made as by `holdfast hub --backup`; returns its path.
  func backup(_ name: String = "copy.sqlite") throws(SQLiteStoreError) -> String {
    let copy = scratch.file(name)
    try SQLiteStore.backup(from: path, to: copy)
    return copy
  }

  /// The files as a crash leaves them now.
  func crashed(_ name: String) throws -> String {
    let copy = scratch.file(name)
    for log in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + log, toPath: copy + log) }
    return copy
  }

  func open(_ path: String) throws(SQLiteStoreError) -> SQLiteStore {
    try SQLiteStore.open(path, clock: { [clock] in clock.now })
  }
}

extension TestStore: TestableStore, ForwardingStore {
  mutating func forward<Answer>(
    _ verb: (inout SQLiteStore) throws(StoreError) -> Answer
  ) throws(StoreError) -> Answer {
    verbs += 1
    if reopenings > 0, verbs <= reopenings || verbs.isMultiple(of: 20) {
      do throws(SQLiteStoreError) { try reopen() } catch { throw .away(.failed(error.description)) }
    }
    return try verb(&store)
  }

  mutating func pass(_ length: MediaTime) { clock.pass(length) }

  /// As with a backup that takes the place of the file.
  mutating func failOver() {
    let copy = "\(path)-copy"
    try? SQLiteStore.backup(from: path, to: copy)
    path = copy
    try? reopen()
  }

  func holds(_ name: Session.Name) -> Bool {
    let connection = try? SQLiteConnection(path, .reading)
    let query = "SELECT state FROM sessions WHERE key = ?"
    let state = try? connection?.first(query, .text(SessionKey(name).text)) { $0.text(0) }
    return state?.flatMap(\.self) != nil
  }

  mutating func replace(_ name: Session.Name, with stored: String) {
    let connection = try? SQLiteConnection(path, .writing)
    try? connection?.run(
      "UPDATE sessions SET state = ? WHERE key = ?", .text(stored), .text(SessionKey(name).text))
  }

  /// The only verbs with nothing in the file.
  mutating func levels(
    _ scores: String, of lease: Session.Lease, in name: Session.Name
  ) throws(StoreError) -> [Session.Lease: String]? {
    try store.levels(scores, of: lease, in: name)
  }

  mutating func heard(in name: Session.Name) throws(StoreError) -> [Session.Lease: String] {
    try store.heard(in: name)
  }
}

@Suite struct ConformanceTests {
  @Test(arguments: StoreConformance.allCases, [0, 60])
  func `the store in a file does what every store has to, also when it is opened again before each verb`(
    conformance: StoreConformance, reopenings: Int
  ) throws {
    #expect(try conformance.check(TestStore(reopenings: reopenings)) == [])
  }
}

// MARK: - What tests do with a store

extension Store {
  /// A host's command with an id of its own.
  @discardableResult
  mutating func command(
    _ name: Session.Name, _ command: Session.Command, id: String = UUID().uuidString
  ) throws -> CommandAnswer {
    let request = StoreRequest(sender: "anna", id: id, command: "\(command)")
    return try perform(in: name, by: .host("anna"), request: request) { _ in command }
  }
}

/// Runs `body` on so many threads at a time, and waits for all of them.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) throws {
  for thread in try startThreads(count, body) { thread.join() }
}
