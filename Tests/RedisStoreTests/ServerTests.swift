import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRedisStore
import HoldfastSession
import HoldfastStores
import TestStores
import TestSupport
import TestTraits
import Testing

/// Which servers a store takes, and what it says of the others.
@Suite(.realTime) struct ServerTests {
  /// Why a store at an address, or at the scene's own server, is away.
  private func reason(_ scene: RedisScene, _ address: String? = nil) -> String {
    trouble { try scene.store(address).changes(after: nil) }?.reason ?? ""
  }

  @Test func `the store's time is the server's`() throws {
    let scene = try RedisScene()
    let store = try scene.store()
    let before = WallTime.now - .milliseconds(1)
    let loaded = try store.load(.hall, asking: nil)
    #expect(loaded.now > before && loaded.now <= WallTime.now)
    #expect(loaded.session.epoch.began.map { $0 > before && $0 <= loaded.now } == true)
  }

  @Test
  func `a password is used, with a user and without, and one that is wrong is named by no message`() throws {
    let user = ["--user", "anna", "on", ">p/ss wörd", "~hf:*", "+@all", "-@dangerous", "+info"]
    let scene = try RedisScene(options: ["--requirepass", "5ecret"] + user)
    let port = scene.server.port
    _ = try scene.joinedStore("redis://:5ecret@127.0.0.1:\(port)")
    var named = try scene.store("redis://anna:p%2Fss%20w%C3%B6rd@127.0.0.1:\(port)")
    #expect(try named.commit(.lock, in: .hall) != .conflict)
    #expect(trouble { try named.due(within: .seconds(1)) } == nil)
    for wrong in [
      "redis://127.0.0.1:\(port)", "redis://:s5ecret@127.0.0.1:\(port)",
      "redis://max:s5ecret@127.0.0.1:\(port)",
    ] {
      let reason = reason(scene, wrong)
      #expect(reason.contains("has refused the user or the password, or asks for one"), "\(reason)")
      #expect(!reason.contains("5ecret"))
    }
  }

  @Test func `a server that repeats the password in its error is not quoted`() throws {
    let scene = try RedisScene()
    let fake = try FakeRedis { _ in "-OOPS unknown command 'AUTH', with args beginning with: '5ecret'\r\n" }
    let reason = reason(scene, "redis://:5ecret@127.0.0.1:\(fake.port)")
    #expect(reason == "failed: 127.0.0.1:\(fake.port) has refused to check the password")
  }

  @Test func `a user who may not run scripts is told what is missing`() throws {
    let scene = try RedisScene(options: ["--user", "anna", "on", ">5ecret", "~other:*", "+@all"])
    let reason = reason(scene, "redis://anna:5ecret@127.0.0.1:\(scene.server.port)")
    #expect(reason.contains("~hf:* +@all -@dangerous +info"), "\(reason)")
  }

  @Test func `another database is another store, and one that is not there is an error`() throws {
    let scene = try RedisScene()
    _ = try scene.joinedStore("redis://127.0.0.1:\(scene.server.port)/3")
    #expect(try scene.store().load(.hall, asking: nil).session.isForgotten)
    #expect(try scene.server.ask("-n", "3", "DBSIZE") != "0")
    let reason = reason(scene, "redis://127.0.0.1:\(scene.server.port)/99")
    #expect(reason.contains("has no database 99"), "\(reason)")
  }

  @Test func `over TLS the certificate is verified, unless that is switched off`() throws {
    let scene = try RedisScene()
    let certificate = try TestCertificate(in: scene.folder)
    let server = try RedisServer(in: scene.folder, certificate: certificate)
    let address = "rediss://127.0.0.1:\(server.port)"
    var store = try scene.store(address, tls: TLSSettings(caFile: certificate.authority))
    try store.join()
    for _ in 0..<20 { #expect(try store.toggle(.hall) != .conflict) }
    #expect(trouble { try scene.store(address).changes(after: nil) }?.isLost == true)
    let insecure = try scene.store(address, tls: TLSSettings(isVerified: false))
    #expect(trouble { try insecure.changes(after: nil) } == nil)
  }

  @Test(arguments: [
    (
      "# Server\r\nredis_version:6.2.14\r\nrole:master\r\n",
      "failed: 127.0.0.1:PORT runs Redis 6.2.14, and a store needs 7.0 or newer; update it"
    ),
    (
      "redis_version:7.0.15\r\nloading:1\r\nrole:master\r\n",
      "can't be reached: 127.0.0.1:PORT is still loading its data"
    ),
  ])
  func `a server that is too old, or still loading its data, is refused by what it says of itself`(
    information: String, expected: String
  ) throws {
    let (scene, fake) = (try RedisScene(), try FakeRedis.saying(information))
    let reason = reason(scene, "redis://127.0.0.1:\(fake.port)")
    #expect(reason == expected.replacing("PORT", with: "\(fake.port)"))
  }

  @Test func `a server of another kind is refused`() throws {
    let scene = try RedisScene()
    let fake = try FakeRedis { _ in "HTTP/1.1 400 Bad Request\r\n\r\n" }
    let reason = reason(scene, "redis://127.0.0.1:\(fake.port)")
    #expect(reason.contains("has answered what no Redis server would"), "\(reason)")
    let nobody = try scene.store("redis://127.0.0.1:\(try LoopbackPort().number)")
    #expect(trouble { try nobody.changes(after: nil) }?.isLost == true)
  }

  @Test func `a Redis Cluster is refused`() throws {
    let scene = try RedisScene(options: ["--cluster-enabled", "yes"])
    let reason = reason(scene)
    #expect(reason.contains("is part of a Redis Cluster"), "\(reason)")
  }

  @Test func `a server that evicts sessions is refused, one that evicts what expires is not`() throws {
    let scene = try RedisScene(options: ["--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru"])
    let reason = reason(scene)
    #expect(reason.contains("maxmemory-policy allkeys-lru"), "\(reason)")
    try scene.server.ask("CONFIG", "SET", "maxmemory-policy", "volatile-lru")
    #expect(trouble { try scene.store().changes(after: nil) } == nil)
  }
}
