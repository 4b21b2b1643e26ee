import HoldfastMediaModel
import HoldfastSession
import HoldfastStores
import TestStores
import Testing

@testable import HoldfastSQLiteStore

/// What remains of sessions that were forgotten.
@Suite struct NumbersTests {
  private func rows(_ store: TestStore, _ table: String) throws -> Int64? {
    try SQLiteConnection(store.path, .reading).first("SELECT count(*) FROM \(table)") { $0.integer(0) }
  }

  /// Joined, left, and after five minutes forgotten.
  private func live(_ store: inout TestStore, _ name: Session.Name) throws {
    try store.join(name, "anna")
    try store.command(name, .lock)
    let leave = Session.Command.leave
    let member = try #require(try store.load(name, asking: nil).session.meeting?.members.first)
    let lease = try #require(member.lease)
    _ = try store.perform(in: name, by: .member(member.id, lease)) { _ in leave }
    store.pass(.seconds(300))
    _ = try store.advance(name, contactSince: WallTime(nanoseconds: 0))
  }

  /// As after thousands of commits, of which every 256th cleans up.
  private func commitMuch(_ store: inout TestStore, _ name: Session.Name) throws {
    try store.store.withFile { file throws(SQLiteError) in
      try file.connection.execute("UPDATE store SET change = (change / 2560 + 1) * 2560 - 1")
    }
    try store.join(name, "anna")
  }

  @Test func `names that nobody uses any more leave no rows, and their numbers don't come again`() throws {
    let other = try Session.Name("Other")
    var store = try TestStore()
    try live(&store, .hall)
    let last = try store.load(.hall, asking: nil)
    #expect(last.session.isForgotten)
    // A repeat of its last request could still come.
    try commitMuch(&store, other)
    #expect(try rows(store, "sessions") == 2)
    store.pass(.seconds(301))
    try commitMuch(&store, other)
    #expect(try rows(store, "sessions") == 1)
    #expect(try rows(store, "events WHERE session NOT IN (SELECT id FROM sessions)") == 0)
    let new = try store.load(.hall, asking: nil)
    #expect(new.version == last.version)
    #expect(new.lastEvent == last.lastEvent)
    // A name that is new to the store begins there, too.
    #expect(try store.load(Session.Name("Unknown"), asking: nil).version == last.version)
    #expect(try store.read(.hall, after: last.lastEvent) == .events([]))
  }
}
