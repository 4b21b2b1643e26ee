import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession
import HoldfastStores
import TestStores
import TestSupport
import Testing

@testable import HoldfastSQLiteStore

/// A store whose tables have another form than the program's.
@Suite struct MigrationTests {
  private let scratch = ScratchFolder()
  private var path: String { scratch.file("sessions.sqlite") }

  private static let older = SessionSchema.current
  private static let newer = SessionSchema(
    steps: older.steps + [
      "ALTER TABLE sessions ADD COLUMN colour TEXT",
      "UPDATE sessions SET colour = 'red'; CREATE INDEX sessions_by_colour ON sessions (colour)",
    ])
  private static let failing = SessionSchema(steps: newer.steps + ["ALTER TABLE nothing ADD COLUMN x"])

  private func open(_ schema: SessionSchema) throws(SQLiteStoreError) -> SQLiteStore {
    try SQLiteStore.open(path, schema: schema, clock: { .now })
  }

  /// The form and what is in it, read beside the store.
  private func form() throws -> (version: Int64, colours: [String]?) {
    let connection = try SQLiteConnection(path, .reading)
    let colours = try? connection.rows("SELECT colour FROM sessions") { $0.text(0) ?? "" }
    return (try SessionSchema.current.version(of: connection), colours)
  }

  private func createOlder() throws {
    var store = try open(Self.older)
    try store.join()
    store.close()
  }

  @Test func `an older form takes each step, and keeps what is in it`() throws {
    try createOlder()
    let store = try open(Self.newer)
    #expect(try store.load(.hall, asking: nil).session.meeting?.members.count == 1)
    store.close()
    #expect(try form() == (3, ["red"]))
  }

  @Test func `an older form stays as it is where one of the steps fails`() throws {
    try createOlder()
    #expect(throws: SQLiteStoreError.self) { try open(Self.failing) }
    #expect(try form() == (1, nil))
    try open(Self.older).close()
  }

  @Test func `a newer form is refused, and says what to do`() throws {
    try createOlder()
    try open(Self.newer).close()
    let error = try #require(throws: SQLiteStoreError.self) { try open(Self.older) }
    #expect(error.what == "\(path) was written by a newer holdfast (form 3, this one knows up to 1)")
    #expect(error.hint.contains("update"))
    #expect(try form() == (3, ["red"]))
  }

  @Test func `a newer form that only the log knows is refused`() throws {
    try createOlder()
    let kept = try SQLiteConnection(path, .writing)
    try kept.execute("PRAGMA user_version=2")
    #expect(throws: SQLiteStoreError.newer(path, found: 2, known: 1)) { try open(Self.older) }
  }

  @Test func `a copy in an older form is migrated, and begins an epoch`() throws {
    try createOlder()
    let copy = scratch.file("copy.sqlite")
    try SQLiteStore.backup(from: path, to: copy)
    let store = try SQLiteStore.open(copy, schema: Self.newer, clock: { .now })
    #expect(try store.load(.hall, asking: nil).session.epoch.began != nil)
    store.close()
  }
}
