import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession
import HoldfastStores
import TestStores
import TestSupport

@testable import HoldfastRedisStore

/// A server of a test's own, and stores in it.
struct RedisScene {
  let folder: ScratchFolder
  let server: RedisServer
  let stop: Wakeup

  init(options: [String] = []) throws {
    folder = ScratchFolder()
    server = try RedisServer(in: folder, options: options)
    stop = try Wakeup()
  }

  /// Generous, for a busy machine: a test of a limit names its own.
  func store(
    _ address: String? = nil, tls: TLSSettings = TLSSettings(), timeLimit: MediaTime = .seconds(20)
  ) throws -> RedisStore {
    let address = try RedisAddress(address ?? "redis://127.0.0.1:\(server.port)")
    return RedisStore(address, tls: tls, timeLimit: timeLimit, stop: stop)
  }

  /// With a session in which there is a host.
  func joinedStore(_ address: String? = nil) throws -> RedisStore {
    var store = try self.store(address)
    try store.join()
    return store
  }
}

/// A server and its replica, which follows it.
struct RedisPair {
  let scene: RedisScene
  let replica: RedisServer

  init() throws {
    scene = try RedisScene(options: ["--repl-diskless-sync-delay", "0"])
    replica = try RedisServer(
      in: scene.folder, options: ["--replicaof", "127.0.0.1", "\(scene.server.port)"])
    guard try eventually({ try replica.replication("master_link_status") == "up" }) else {
      throw TestFailure("the replica does not follow")
    }
  }
}

let longAgo = WallTime(nanoseconds: 0)

extension Store {
  /// The host commands; what is committed is returned, or what came in between.
  mutating func commit(
    _ command: Session.Command, in name: Session.Name, request: StoreRequest? = nil
  ) throws -> CommitResult {
    try commit(StoreCommit(load(name, asking: nil), command, request: request))
  }

  /// Locks the session, or unlocks it where it is locked.
  mutating func toggle(_ name: Session.Name, request: StoreRequest? = nil) throws -> CommitResult {
    let isLocked = try load(name, asking: nil).session.meeting?.isLocked == true
    return try commit(isLocked ? .unlock : .lock, in: name, request: request)
  }
}
