import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession
import HoldfastStores
import TestStores
import TestSupport
import TestTraits
import Testing

@testable import HoldfastRedisStore

/// When a store may have forgotten something.
@Suite(.realTime) struct EpochTests {
  @Test func `a server that comes back empty begins a new epoch, and sessions begin anew`() throws {
    let scene = try RedisScene()
    var store = try scene.store()
    let lease = try store.join()
    let before = try store.load(.hall, asking: nil)
    scene.server.kill()
    #expect(trouble { try store.load(.hall, asking: nil) }?.isLost == true)
    try scene.server.start()
    var after: LoadedSession?
    #expect(eventually { trouble { after = try store.load(.hall, asking: nil) } == nil })
    #expect(after?.session.isForgotten == true)
    #expect(after.map { $0.session.epoch.number > before.session.epoch.number } == true)
    #expect(try store.beat(lease, statistics: nil, in: .hall) == nil)
    #expect(try store.read(.hall, after: before.lastEvent) == .reset)
    try store.join()
  }

  @Test
  func `a server that comes back with its data begins a new epoch, too, in which sessions go on`() throws {
    let scene = try RedisScene(options: ["--appendonly", "yes", "--appendfsync", "always"])
    var store = try scene.store()
    let lease = try store.join()
    let before = try store.load(.hall, asking: nil)
    scene.server.kill()
    try scene.server.start()
    // The first verb may be one that does not ask for the server's history by itself.
    var renewed: StoreVersion?
    #expect(eventually { trouble { renewed = try store.beat(lease, statistics: nil, in: .hall) } == nil })
    #expect(renewed == nil)
    let after = try store.load(.hall, asking: nil)
    #expect(after.session.meeting?.members.count == 1)
    #expect(after.session.epoch.number > before.session.epoch.number)
    #expect(try store.commit(.lock, in: .hall) != .conflict)
    #expect(try store.read(.hall, after: before.lastEvent) == .reset)
  }

  @Test func `data that vanishes without a restart begins a new epoch with any verb`() throws {
    let scene = try RedisScene()
    var store = try scene.store()
    for verb in 0..<5 {
      let lease = try store.join()
      let epoch = lease.epoch
      try scene.server.ask("FLUSHALL")
      switch verb {
      case 0: #expect(try store.beat(lease, statistics: nil, in: .hall) == nil)
      case 1: #expect(try store.levels("1", of: lease, in: .hall) == nil)
      case 2: #expect(try store.read(.hall, after: EventID(epoch: epoch, sequence: 0)) == .reset)
      case 3: #expect(try store.due(within: .seconds(1_000_000)) == [])
      default: #expect(try store.changes(after: nil).last.epoch > epoch)
      }
      #expect(try store.load(.hall, asking: nil).session.epoch.number > epoch)
    }
  }

  @Test func `hubs that notice a new history at the same time begin one epoch`() throws {
    let scene = try RedisScene()
    let address = try RedisAddress("redis://127.0.0.1:\(scene.server.port)")
    for _ in 0..<5 {
      let (ready, go) = (Locked(0), try Wakeup())
      let epochs = Locked<[Session.Epoch?]>([])
      let stop = scene.stop
      let threads = try startThreads(6) { _ in
        let store = RedisStore(address, timeLimit: .seconds(20), stop: stop)
        _ = try? store.changes(after: nil)
        ready.withLock { $0 += 1 }
        go.wait()
        let epoch = try? store.load(.hall, asking: nil).session.epoch
        epochs.withLock { $0.append(epoch) }
      }
      #expect(eventually { ready.withLock { $0 } == 6 })
      try scene.server.ask("DEBUG", "CHANGE-REPL-ID")
      go.signal()
      threads.forEach { $0.join() }
      let seen = epochs.withLock { $0 }
      #expect(seen.count == 6 && Set(seen).count == 1 && seen[0] != nil)
    }
  }

  @Test func `a store that has known a higher epoch raises that of the server`() throws {
    let scene = try RedisScene()
    let store = try scene.store()
    let known = try store.load(.hall, asking: nil).session.epoch.number
    try scene.server.ask("HSET", "hf:epoch", "number", "\(known - 1000)")
    let other = try scene.store()
    #expect(try other.load(.hall, asking: nil).session.epoch.number == known - 1000)
    let raised = try store.load(.hall, asking: nil).session.epoch
    #expect(raised.number > known)
    #expect(try other.load(.hall, asking: nil).session.epoch == raised)
  }

  @Test func `the epoch rises where the server's clock is behind`() throws {
    let scene = try RedisScene()
    let store = try scene.store()
    store.testTime = WallTime(nanoseconds: 1_800_000_000_000_000_000)
    let first = try store.load(.hall, asking: nil).session.epoch
    store.testTime = WallTime(nanoseconds: 1_700_000_000_000_000_000)
    try scene.server.ask("FLUSHALL")
    #expect(try store.load(.hall, asking: nil).session.epoch.number == first.number + 1)
  }

  @Test func `a reader of changes learns of a new history by itself`() throws {
    let scene = try RedisScene()
    _ = try scene.joinedStore()
    let reader = try scene.store()
    let last = try reader.changes(after: nil).last
    try scene.server.ask("DEBUG", "CHANGE-REPL-ID")
    let page = try reader.changes(after: last)
    guard case .any(let new) = page else { return #expect(Bool(false), "\(page)") }
    #expect(new.epoch > last.epoch)
  }
}
