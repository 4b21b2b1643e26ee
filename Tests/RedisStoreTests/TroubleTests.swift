import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession
import HoldfastStores
import TestStores
import TestSupport
import TestTraits
import Testing

@testable import HoldfastRedisStore

/// What a server does to a store that works with it.
@Suite(.realTime) struct TroubleTests {
  @Test
  func
    `a server that hangs costs the time limit once, then nothing for a while, and its late answer nobody sees`()
    throws
  {
    let scene = try RedisScene()
    var store = try scene.store()
    let lease = try store.join()
    let hurried = try scene.store(timeLimit: .seconds(5))
    let before = try #require(try hurried.beat(lease, statistics: nil, in: .hall))
    scene.server.freeze()
    var began = MonotonicTime.now
    #expect(trouble { try hurried.load(.hall, asking: nil) }?.isLost == true)
    #expect(.now - began >= .seconds(5))
    began = .now
    #expect(trouble { try hurried.changes(after: nil) }?.isLost == true)
    #expect(.now - began < .milliseconds(4500))
    scene.server.thaw()
    #expect(eventually { trouble { try hurried.due(within: .zero) } == nil })
    #expect(try hurried.beat(lease, statistics: nil, in: .hall) == before)
  }

  @Test func `a hub that stops does not wait for a server that hangs`() throws {
    let scene = try RedisScene()
    let fake = try FakeRedis { [stop = scene.stop] request in
      if request.contains("SETNAME") {
        return FakeRedis.information("redis_version:7.0.15\r\nrole:master\r\n")
      }
      stop.signal()
      return ""
    }
    let store = try scene.store("redis://127.0.0.1:\(fake.port)", timeLimit: .seconds(3600))
    for _ in 1...2 { #expect(trouble { try store.changes(after: nil) } == .lost("the hub is stopping")) }
  }

  @Test func `a connection that was closed while nothing was asked is replaced without an error`() throws {
    let scene = try RedisScene()
    var store = try scene.joinedStore()
    for _ in 0..<3 {
      try scene.server.ask("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
      #expect(try store.toggle(.hall) != .conflict)
    }
  }

  @Test func `a reply that is cut leaves a commit that is found by its request`() throws {
    let scene = try RedisScene()
    let relay = try CuttingRelay(to: scene.server.port)
    let store = try scene.joinedStore("redis://127.0.0.1:\(relay.port)")
    for cut in [0, 1, 2, 5, 9, 20] {
      let request = StoreRequest(sender: "anna", id: "\(cut)", command: "toggle")
      let seen = try store.load(.hall, asking: nil)
      let command: Session.Command = seen.session.meeting?.isLocked == true ? .unlock : .lock
      let commit = try StoreCommit(seen, command, request: request)
      relay.cutNextReply(after: cut)
      #expect(trouble { try store.commit(commit) }?.isLost == true)
      var result: CommitResult?
      #expect(eventually { trouble { result = try store.commit(commit) } == nil })
      #expect(result == .known(.answered("done")))
      #expect(try store.load(.hall, asking: nil).version.count == seen.version.count + 1)
    }
  }

  @Test func `a full server takes no commits, but beats, and works again with more memory`() throws {
    let scene = try RedisScene()
    var store = try scene.store()
    let lease = try store.join()
    try scene.server.ask("CONFIG", "SET", "maxmemory", "1")
    #expect(trouble { try store.commit(.lock, in: .hall) }?.isFull == true)
    #expect(try store.load(.hall, asking: nil).session.meeting?.isLocked == false)
    #expect(try store.beat(lease, statistics: "{}", in: .hall) != nil)
    #expect(trouble { try store.due(within: .seconds(1)) } == nil)
    // A hub that starts meanwhile can read, too.
    #expect(trouble { try scene.store().changes(after: nil) } == nil)
    try scene.server.ask("CONFIG", "SET", "maxmemory", "0")
    #expect(try store.commit(.lock, in: .hall) != .conflict)
  }

  @Test func `a server without the replicas that it needs can be read, but not written to`() throws {
    let scene = try RedisScene()
    var store = try scene.joinedStore()
    try scene.server.ask("CONFIG", "SET", "min-replicas-to-write", "1")
    #expect(trouble { try store.commit(.lock, in: .hall) }?.isReadOnly == true)
    #expect(try store.load(.hall, asking: nil).session.meeting != nil)
    try scene.server.ask("CONFIG", "SET", "min-replicas-to-write", "0")
    #expect(try store.commit(.lock, in: .hall) != .conflict)
  }

  @Test func `a replica is refused, and a server that becomes one`() throws {
    let atOnce = ["--repl-diskless-sync-delay", "0"]
    let scene = try RedisScene(options: atOnce)
    let other = try RedisServer(in: scene.folder, options: atOnce)
    let store = try scene.joinedStore()
    try other.ask("REPLICAOF", "127.0.0.1", "\(scene.server.port)")
    let replica = try scene.store("redis://127.0.0.1:\(other.port)")
    #expect(trouble { try replica.changes(after: nil) }?.reason.contains("is a replica; give") == true)
    #expect(try eventually { try other.replication("master_link_status") == "up" })
    try other.ask("REPLICAOF", "NO", "ONE")
    try scene.server.ask("REPLICAOF", "127.0.0.1", "\(other.port)")
    #expect(trouble { try store.load(.hall, asking: nil) }?.isReadOnly == true)
    #expect(eventually { trouble { try replica.changes(after: nil) } == nil })
  }

  @Test func `scripts that the server has forgotten are loaded again`() throws {
    let scene = try RedisScene()
    var store = try scene.store()
    let lease = try store.join()
    for _ in 0..<2 {
      try scene.server.ask("SCRIPT", "FLUSH")
      #expect(try store.toggle(.hall) != .conflict)
      try scene.server.ask("SCRIPT", "FLUSH")
      #expect(try store.beat(lease, statistics: nil, in: .hall) != nil)
    }
  }

  @Test func `another program's value under a key of the store is an error, not a crash`() throws {
    let scene = try RedisScene()
    let store = try scene.joinedStore()
    try scene.server.ask("HSET", "hf:epoch", "count", "many", "event", "-3", "began", "x")
    #expect(trouble { try store.load(Session.Name("Other"), asking: nil) }?.isFailed == true)
    try scene.server.ask("SET", "hf:epoch", "nothing")
    _ = eventually { trouble { try store.changes(after: nil) }?.isFailed == true }
    #expect(trouble { try store.changes(after: nil) }?.isFailed == true)
  }
}
