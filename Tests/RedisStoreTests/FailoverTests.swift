import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession
import HoldfastStores
import TestStores
import TestSupport
import TestTraits
import Testing

@testable import HoldfastRedisStore

/// Replicas and Sentinel.
@Suite(.realTime) struct FailoverTests {
  @Test func `what must not be forgotten is confirmed by a replica, also when it is repeated`() throws {
    let pair = try RedisPair()
    var store = try pair.scene.joinedStore()
    #expect(try store.commit(.lock, in: .hall) != .conflict)
    #expect(try pair.replica.ask("HGET", SessionKeys(.hall).state, "v") == "2")
    _ = try store.commit(.unlock, in: .hall)
    pair.replica.freeze()
    let request = StoreRequest(sender: "anna", id: "1", command: "lock")
    #expect(trouble { try store.commit(.lock, in: .hall, request: request) } == .notConfirmed)
    // By another connection, which has written nothing itself.
    var other = try pair.scene.store()
    #expect(trouble { try other.load(.hall, asking: request) } == .notConfirmed)
    let repeated = trouble {
      try other.perform(in: .hall, by: .host("local"), request: request) { _ in .lock }
    }
    #expect(repeated == .notConfirmed)
    #expect(trouble { try other.commit(.unlock, in: .hall) } == nil)
    pair.replica.thaw()
    #expect(eventually { trouble { try other.load(.hall, asking: request) } == nil })
    #expect(try other.load(.hall, asking: request).known == .answered("done"))
  }

  @Test func `Sentinels lead to the master, in any order, and say what they don't know`() throws {
    let scene = try RedisScene()
    let sentinel = try RedisServer(in: scene.folder, watching: scene.server, as: "hall")
    let nobody = try LoopbackPort().number
    let port = sentinel.port
    _ = try scene.joinedStore("redis+sentinel://127.0.0.1:\(nobody),127.0.0.1:\(port)/hall/2")
    #expect(try scene.server.ask("-n", "2", "DBSIZE") != "0")
    let unknown = try scene.store("redis+sentinel://127.0.0.1:\(port)/other")
    let reason = trouble { try unknown.changes(after: nil) }?.reason
    #expect(reason?.contains("knows no master named other") == true)
    let noSentinel = try scene.store("redis+sentinel://127.0.0.1:\(scene.server.port)/hall")
    #expect(trouble { try noSentinel.changes(after: nil) }?.reason.contains("is not a Sentinel") == true)
  }

  @Test func `a master that is killed amid commits is replaced, and no confirmed commit is lost`() throws {
    let pair = try RedisPair()
    let scene = pair.scene
    let sentinel = try RedisServer(in: scene.folder, watching: scene.server, as: "hall")
    // It fails over only to a replica that it has found.
    let replica = "127.0.0.1:\(pair.replica.port)"
    #expect(try eventually { try sentinel.ask("SENTINEL", "replicas", "hall").contains(replica) })
    let address = try RedisAddress("redis+sentinel://127.0.0.1:\(sentinel.port)/hall")
    let stop = scene.stop
    var store = RedisStore(address, timeLimit: .seconds(20), stop: stop)
    let lease = try store.join()
    let old = try store.load(.hall, asking: nil).session.epoch

    let confirmed = Locked<Set<String>>([])
    let hasFailed = Locked(0)
    let isOver = Locked(false)
    // Each host removes members, which must not be forgotten, one after the other.
    let hubs = try startThreads(2) { hub in
      var store = RedisStore(address, timeLimit: .seconds(2), stop: stop)
      var number = 0
      while !isOver.withLock({ $0 }), number < 4000 {
        number += 1
        let id = "\(hub)-\(number)"
        let request = StoreRequest(sender: "hub", id: id, command: "event")
        // An event of the host's, in the place of a removal: locking is one, too.
        var isDone = false
        while !isDone, !isOver.withLock({ $0 }) {
          do {
            let command: (LoadedSession) -> Session.Command = {
              $0.session.meeting?.isLocked == true ? .unlock : .lock
            }
            let answer = try store.perform(in: .hall, by: .host("local"), request: request, command) {
              $1.map(\.name).joined()
            }
            isDone = true
            if answer == .done("locked") { confirmed.withLock { _ = $0.insert(id) } }
          } catch {
            hasFailed.withLock { $0 += 1 }
            stop.wait(until: .now + .milliseconds(5))
          }
        }
      }
    }
    #expect(eventually { confirmed.withLock { $0.count } > 20 })
    scene.server.kill()
    let count = confirmed.withLock { $0.count }
    #expect(eventually { confirmed.withLock { $0.count } > count + 20 })
    isOver.withLock { $0 = true }
    hubs.forEach { $0.join() }

    #expect(hasFailed.withLock { $0 } > 0)
    #expect(try pair.replica.replication("role") == "master")
    for id in confirmed.withLock({ $0 }) {
      let request = StoreRequest(sender: "hub", id: id, command: "event")
      #expect(try store.load(.hall, asking: request).known == .answered("locked"), "\(id) is lost")
    }
    let after = try store.load(.hall, asking: nil)
    #expect(after.session.epoch.number > old.number)
    #expect(after.session.meeting?.members.count == 1)
    #expect(try store.beat(lease, statistics: nil, in: .hall) == nil)
  }
}
