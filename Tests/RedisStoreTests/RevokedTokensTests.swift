import HoldfastMediaModel
import HoldfastPlatform
import HoldfastStores
import TestStores
import TestSupport
import TestTraits
import Testing

@testable import HoldfastRedisStore

/// Tokens that all hubs of a server refuse.
@Suite(.realTime) struct RevokedTokensTests {
  private static let end = WallTime(nanoseconds: 4_000_000_000_000_000_000)

  private func revoke(_ tokens: [String: WallTime], in store: RedisStore) throws -> Bool {
    try store.revoke(tokens, limit: 10_000, needsReplica: true, at: .now)
  }

  @Test func `what one hub revokes, the others learn, and nothing ends before its time`() throws {
    let scene = try RedisScene()
    let (store, other) = (try scene.store(), try scene.store())
    let known = try other.revoked(after: nil)
    #expect(known?.expiries == [:])
    #expect(try other.revoked(after: known?.version) == nil)
    #expect(try revoke(["a": Self.end, "b": Self.end + MediaTime(nanoseconds: 1)], in: store))
    let news = try other.revoked(after: known?.version)
    #expect(news?.expiries == ["a": Self.end, "b": Self.end + .seconds(1)])
    #expect(try store.revoked(after: news?.version) == nil)
  }

  @Test func `a list that is full is read and written whole`() throws {
    let scene = try RedisScene()
    let store = try scene.store()
    let tokens = (0..<10_000).map { (String(repeating: "x", count: 120) + "\($0)", Self.end) }
    #expect(try revoke(Dictionary(tokens) { $1 }, in: store))
    #expect(try !revoke(["one more": Self.end], in: store))
    #expect(try scene.store().revoked(after: nil)?.expiries == Dictionary(tokens) { $1 })
  }

  @Test func `a server that comes back empty, or with its data, is news`() throws {
    let scene = try RedisScene(options: ["--appendonly", "yes", "--appendfsync", "always"])
    let store = try scene.store()
    #expect(try revoke(["a": Self.end], in: store))
    let before = try #require(try store.revoked(after: nil))
    scene.server.kill()
    try scene.server.start()
    var after: RevokedTokens?
    #expect(eventually { trouble { after = try store.revoked(after: before.version) } == nil })
    #expect(after?.expiries == ["a": Self.end])
    try scene.server.ask("FLUSHALL")
    #expect(try store.revoked(after: after?.version)?.expiries == [:])
  }

  @Test func `a full server takes revocations, and one without its replicas takes none`() throws {
    let scene = try RedisScene()
    let store = try scene.store()
    try scene.server.ask("CONFIG", "SET", "maxmemory", "1")
    #expect(try revoke(["a": Self.end], in: store))
    try scene.server.ask("CONFIG", "SET", "min-replicas-to-write", "1")
    #expect(trouble { try revoke(["b": Self.end], in: store) }?.isReadOnly == true)
    #expect(try store.revoked(after: nil)?.expiries == ["a": Self.end])
  }

  @Test func `a revocation is confirmed by a replica, also when it is repeated`() throws {
    let pair = try RedisPair()
    let (scene, replica) = (pair.scene, pair.replica)
    #expect(try revoke(["a": Self.end], in: scene.store()))
    #expect(try replica.ask("ZSCORE", "hf:revoked", "a") == "4000000000")
    replica.freeze()
    for _ in 1...2 { #expect(trouble { try revoke(["b": Self.end], in: scene.store()) } == .notConfirmed) }
    #expect(try scene.store().revoke(["b": Self.end], limit: 10, needsReplica: false, at: .now))
    replica.thaw()
    #expect(eventually { trouble { try revoke(["b": Self.end], in: scene.store()) } == nil })
  }

  @Test(arguments: [
    ["SET", "hf:revoked", "nothing"], ["ZADD", "hf:revoked", "inf", "a"], ["ZADD", "hf:revoked", "-1", "a"],
    ["ZADD", "hf:revoked", "1e300", "a"], ["ZADD", "hf:revoked", "1", "\u{FF}\n"],
  ])
  func `another program's value in the place of the list does no harm`(command: [String]) throws {
    let scene = try RedisScene()
    let store = try scene.store()
    try scene.server.ask(command)
    _ = trouble { try store.revoked(after: nil) }
    _ = trouble { try revoke(["b": Self.end], in: store) }
    #expect(eventually { trouble { try store.changes(after: nil) } == nil })
  }
}
