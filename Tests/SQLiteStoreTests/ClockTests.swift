import HoldfastMediaModel
import HoldfastSession
import HoldfastStores
import TestStores
import Testing

@testable import HoldfastSQLiteStore

/// The store's clock beside a wall clock that is set.
@Suite struct ClockTests {
  private let clock = SetClock()

  private func storeClock() -> StoreClock { StoreClock(after: clock.now.wall, at: clock.now) }

  @Test func `it shows the time of the wall clock`() {
    var store = storeClock()
    clock.pass(.seconds(7))
    #expect(store.advance(to: clock.now) == clock.now.wall)
  }

  @Test func `where the wall clock is set back, it goes on at the pace of the time since boot`() {
    var store = storeClock()
    let before = store.advance(to: clock.now)
    clock.set(by: .seconds(-7200))
    #expect(store.advance(to: clock.now) == before)
    clock.pass(.seconds(20))
    #expect(store.advance(to: clock.now) == before + .seconds(20))
  }

  @Test func `where the wall clock is set forward, it follows`() {
    var store = storeClock()
    clock.set(by: .seconds(7200))
    #expect(store.advance(to: clock.now) == clock.now.wall)
  }

  @Test func `readings that come late don't set it back`() {
    var store = storeClock()
    let early = clock.now
    clock.pass(.seconds(1))
    let late = store.advance(to: clock.now)
    #expect(store.advance(to: early) == late)
    #expect(store.advance(to: clock.now) == late)
  }

  @Test func `it does not go back at a restart beside a clock that was set back`() throws {
    var store = try TestStore(joined: "anna")
    let before = try store.load(.hall, asking: nil).now
    store.clock.set(by: .seconds(-7200))
    try store.reopen()
    #expect(try store.load(.hall, asking: nil).now == before)
  }

  @Test func `a lease runs out beside a clock that was set back`() throws {
    var store = try TestStore(joined: "anna")
    store.clock.set(by: .seconds(-7200))
    store.pass(.seconds(20))
    #expect(try store.advance(.hall, contactSince: WallTime(nanoseconds: 0)).contains { $0.name == "left" })
  }
}
