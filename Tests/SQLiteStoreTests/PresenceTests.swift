import HoldfastMediaModel
import HoldfastSession
import HoldfastStores
import TestStores
import Testing

@testable import HoldfastSQLiteStore

/// Beats, which are in memory first.
@Suite struct PresenceTests {
  /// The last beat that a crash would leave.
  private func storedBeat(_ store: TestStore, _ lease: Session.Lease) throws -> WallTime? {
    let connection = try SQLiteConnection(store.path, .reading)
    return try connection.first("SELECT at FROM beats WHERE sequence = ?", .count(lease.sequence)) {
      WallTime(nanoseconds: $0.integer(0))
    }
  }

  @Test func `beats are written by who asks what is due, when the last group is 2 s ago`() throws {
    var store = try TestStore()
    let lease = try store.join()
    let joined = try storedBeat(store, lease)
    store.pass(.milliseconds(1999))
    _ = try store.beat(lease, statistics: nil, in: .hall)
    _ = try store.due(within: .zero)
    #expect(try storedBeat(store, lease) == joined)
    store.pass(.milliseconds(1))
    _ = try store.beat(lease, statistics: nil, in: .hall)
    #expect(try storedBeat(store, lease) == joined)
    _ = try store.due(within: .zero)
    #expect(try storedBeat(store, lease) == store.clock.now.wall)
  }

  @Test func `beats of all sessions are written with a commit to any`() throws {
    var store = try TestStore()
    let lease = try store.join()
    store.pass(.seconds(1))
    _ = try store.beat(lease, statistics: nil, in: .hall)
    try store.join(Session.Name("Other"), "max")
    #expect(try storedBeat(store, lease) == store.clock.now.wall)
  }

  @Test func `a refused commit leaves beats in memory`() throws {
    var store = try TestStore()
    let lease = try store.join()
    let stale = try store.load(.hall, asking: nil)
    try store.command(.hall, .lock)
    store.pass(.seconds(1))
    _ = try store.beat(lease, statistics: "1", in: .hall)
    let late = StoreCommit(stale, becomes: stale.session, events: [], due: nil)
    #expect(try store.commit(late) == .conflict)
    try store.reopen()
    #expect(try store.load(.hall, asking: nil).beats[lease] == store.clock.now.wall)
    #expect(try store.load(.hall, asking: nil).statistics[lease] == "1")
  }

  @Test func `beats that a crash forgets expire nobody`() throws {
    var store = try TestStore()
    let lease = try store.join()
    // The members of a session say nothing for long but beats, of which the last group is lost.
    for _ in 1...20 {
      store.pass(.seconds(5))
      _ = try store.beat(lease, statistics: nil, in: .hall)
    }
    let kept = try store.crashed("crashed")
    store.pass(.seconds(15))
    var hub = try store.open(kept)
    let started = try hub.load(.hall, asking: nil).now
    #expect(try hub.advance(.hall, contactSince: started) == [])
    store.pass(.seconds(12))
    #expect(try hub.advance(.hall, contactSince: started) == [])
    #expect(try hub.beat(lease, statistics: nil, in: .hall) != nil)
  }

  @Test func `who has not come back a lease after the restart has left`() throws {
    var store = try TestStore(joined: "anna")
    var hub = try store.open(store.crashed("crashed"))
    let started = try hub.load(.hall, asking: nil).now
    store.pass(.seconds(20))
    #expect(try hub.advance(.hall, contactSince: started).contains { $0.name == "left" })
  }

  @Test func `levels are over with the process`() throws {
    var store = try TestStore()
    let (anna, max) = (try store.join(.hall, "anna", 1), try store.join(.hall, "max", 2))
    _ = try store.levels("1", of: anna, in: .hall)
    try store.reopen()
    #expect(try store.levels("2", of: max, in: .hall) == [max: "2"])
  }
}
