import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession
import HoldfastStores
import TestStores
import TestSupport
import TestTraits
import Testing

@testable import HoldfastRedisStore

/// Several stores in one server.
@Suite(.realTime) struct SharedStoreTests {
  @Test func `no commit of several threads is lost`() throws {
    let scene = try RedisScene()
    let address = try RedisAddress("redis://127.0.0.1:\(scene.server.port)")
    let failures = Locked<[String]>([])
    let stop = scene.stop
    let threads = try startThreads(4) { number in
      var store = RedisStore(address, timeLimit: .seconds(20), stop: stop)
      do {
        for member in 0..<15 {
          let own = number * 15 + member
          try store.join(.hall, "member \(own)", own)
        }
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    threads.forEach { $0.join() }
    #expect(failures.withLock { $0 } == [])
    let store = try scene.store()
    let loaded = try store.load(.hall, asking: nil)
    #expect(loaded.session.meeting?.present.count == 60)
    #expect(loaded.version.count == 60)
    #expect(loaded.beats.count == 60)
    let page = try store.read(.hall, after: EventID(epoch: loaded.version.epoch, sequence: 0))
    guard case .events(let events) = page else { return #expect(Bool(false), "\(page)") }
    #expect(events.count { $0.json.contains("\"joined\"") } == 60)
    #expect(events.map(\.id.sequence) == Array(1...loaded.lastEvent.sequence))
  }

  @Test func `names that are spelled differently are due as one`() throws {
    let scene = try RedisScene()
    var store = try scene.store()
    let capitals = try Session.Name("HALL")
    try store.join(capitals)
    try store.join(.hall, "max", 2)
    let year = MediaTime.seconds(366 * 86_400)
    #expect(try store.due(within: year).map(\.text) == ["HALL"])
    let loaded = try store.load(.hall, asking: nil)
    try store.postpone(.hall, to: loaded.now + .seconds(3600), expected: loaded.version)
    #expect(try store.due(within: .seconds(3500)).isEmpty)
    #expect(try store.due(within: year).map(\.text) == ["HALL"])
  }

  @Test func `a session that nobody would look at is found by a scan`() throws {
    let scene = try RedisScene()
    let store = try scene.joinedStore()
    let others =
      "for i = 1, 5000 do redis.call('HSET', 'hf:{' .. i .. '}:state', 'name', 'Room ' .. i, 'blob', '{}') end"
    try scene.server.ask("EVAL", others, "0")
    try scene.server.ask("SET", "hf:{0}:state", "no hash")
    try scene.server.ask("DEL", "hf:due")
    // In as many steps as the time for each takes.
    #expect(eventually { (try? store.due(within: .zero).count) == 5001 })
    // Not at each call: another hub has just looked.
    try scene.server.ask("DEL", "hf:due")
    #expect(try scene.store().due(within: .zero) == [])
    #expect(try store.due(within: .zero) == [])
  }

  @Test func `an answer is kept for ten minutes in the server, and its command not in words`() throws {
    let scene = try RedisScene()
    var store = try scene.joinedStore()
    let request = StoreRequest(sender: "anna", id: "1", command: "password 5ecret")
    _ = try store.commit(.lock, in: .hall, request: request)
    let key = SessionKeys(.hall).asked(request)
    #expect(try (590_000...600_000).contains(Int(scene.server.ask("PTTL", key)) ?? 0))
    #expect(try !scene.server.ask("GET", key).contains("5ecret"))
    #expect(SessionKeys(.hall).asked(StoreRequest(sender: "ann", id: "a1", command: "")) != key)
  }

  @Test func `what is left of a forgotten session is two numbers, and its last events for a minute`() throws {
    let scene = try RedisScene()
    var store = try scene.store()
    let start = WallTime(nanoseconds: 1_800_000_000_000_000_000)
    store.testTime = start
    let lease = try store.join()
    _ = try store.beat(lease, statistics: "{}", in: .hall)
    _ = try store.levels("1", of: lease, in: .hall)
    _ = try store.commit(.end, in: .hall)
    store.testTime = start + .seconds(86_401)
    _ = try store.advance(.hall, contactSince: longAgo)
    let kept = try scene.server.ask("KEYS", "hf:{*").split(separator: "\n").map(String.init)
    #expect(kept.count == 2)
    for key in kept {
      #expect((1...60_000).contains(Int(try scene.server.ask("PTTL", key)) ?? 0), "\(key)")
    }
    #expect(try scene.server.ask("EXISTS", "hf:due") == "0")
  }
}
