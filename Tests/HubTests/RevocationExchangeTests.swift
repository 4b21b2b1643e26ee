import Foundation
import HoldfastMediaModel
import HoldfastStores
import TestSupport
import Testing

@testable import HoldfastHub
@testable import HoldfastTokens

@Suite struct RevocationExchangeTests {
  private let scratch = ScratchFolder()
  private let now = MemoryStore().now

  private func revocations(_ name: String) -> Revocations { Revocations(folder: scratch.file(name)) }

  @Test func `what the store knows is refused, also by a hub that starts without it`() throws {
    var store = MemoryStore()
    _ = try store.revoke(["a": now + .seconds(9)], limit: 10, needsReplica: false, at: now)
    var exchange = RevocationExchange(revocations("hub"))
    #expect(exchange.run(&store, at: now) == nil)
    #expect(try revocations("hub").contains("a"))
    #expect(try !revocations("hub").contains("b"))
  }

  @Test func `a store that has forgotten learns again what each hub knows`() throws {
    var store = MemoryStore()
    let (left, right) = (revocations("left"), revocations("right"))
    try left.revoke("a", expiring: now + .seconds(9), at: now)
    try right.revoke("b", expiring: now + .seconds(99), at: now)
    var exchanges = [RevocationExchange(left), RevocationExchange(right)]
    func run() { for index in [0, 1, 0] { _ = exchanges[index].run(&store, at: now) } }
    for _ in 0..<2 {
      run()
      #expect(try store.revoked(after: nil)?.expiries == ["a": now + .seconds(10), "b": now + .seconds(100)])
      for list in [left, right] { #expect(try list.contains("a") && list.contains("b")) }
      store.failOver(to: MemoryStore())
    }
  }

  @Test func `a hub without the store learns what was revoked meanwhile as soon as it is back`() throws {
    var (store, away) = (MemoryStore(), AwayStore())
    let (left, right) = (revocations("left"), revocations("right"))
    var exchanges = [RevocationExchange(left), RevocationExchange(right)]
    for index in [0, 1] { _ = exchanges[index].run(&store, at: now) }
    try left.revoke("a", expiring: now + .seconds(9), at: now)
    _ = try store.revoke(["a": now + .seconds(9)], limit: 10, needsReplica: false, at: now)
    #expect(exchanges[1].run(&away, at: now) == nil)
    #expect(try !right.contains("a"))
    #expect(exchanges[1].run(&store, at: now) == nil)
    #expect(try right.contains("a"))
  }

  @Test func `what a hub keeps of expired tokens is not told again`() throws {
    var store = MemoryStore()
    let revocations = revocations("hub")
    try revocations.revoke("a", expiring: now + .seconds(9), at: now)
    var exchange = RevocationExchange(revocations)
    #expect(exchange.run(&store, at: now + .seconds(2 * 86_400)) == nil)
    #expect(try store.revoked(after: nil)?.expiries == [:])
  }

  @Test func `hubs that know the same leave the store as it is`() throws {
    var store = MemoryStore()
    let hubs = [revocations("left"), revocations("right")]
    try hubs[0].revoke("a", at: now)
    try hubs[1].revoke("b", expiring: now + MediaTime(nanoseconds: 1), at: now)
    // A damaged line, whose token is revoked for good.
    try Data("c nonsense\n".utf8).write(to: URL(filePath: scratch.file("right/revoked-tokens")))
    var exchanges = hubs.map { RevocationExchange($0) }
    func run() { for index in exchanges.indices { _ = exchanges[index].run(&store, at: now + .seconds(1)) } }
    run()
    run()
    let version = try store.revoked(after: nil)?.version
    run()
    #expect(try store.revoked(after: version) == nil)
  }

  @Test func `what can't be written to the file is refused nevertheless, and said once`() throws {
    var store = MemoryStore()
    _ = try store.revoke(["a": now + .seconds(9)], limit: 10, needsReplica: false, at: now)
    // A file in the place of the folder.
    _ = try scratch.write("", to: "hub")
    let revocations = revocations("hub")
    var exchange = RevocationExchange(revocations)
    #expect(exchange.run(&store, at: now)?.hasPrefix("revoked tokens are not kept") == true)
    #expect(exchange.run(&store, at: now) == nil)
    #expect(try revocations.contains("a"))
    try FileManager.default.removeItem(atPath: scratch.file("hub"))
    #expect(exchange.run(&store, at: now) == "revoked tokens are exchanged and kept again")
    #expect(try Revocations(folder: scratch.file("hub")).contains("a"))
    #expect(exchange.run(&store, at: now) == nil)
  }

  @Test func `more tokens than the list holds are refused until the hub ends, and said once`() throws {
    var store = MemoryStore()
    let others = Dictionary((0..<9999).map { ("id-\($0)", now + .seconds(9)) }) { $1 }
    _ = try store.revoke(others, limit: 10_000, needsReplica: false, at: now)
    let revocations = revocations("hub")
    for id in ["a", "b"] { try revocations.revoke(id, at: now) }
    var exchange = RevocationExchange(revocations)
    #expect(exchange.run(&store, at: now)?.contains("revoked-tokens is full") == true)
    #expect(exchange.run(&store, at: now) == nil)
    for id in ["a", "b", "id-9998"] { #expect(try revocations.contains(id)) }
    #expect(try store.revoked(after: nil)?.expiries.count == 10_000)
  }

  @Test func `an id from the store that would be several lines of the file is passed over`() throws {
    var store = MemoryStore()
    _ = try store.revoke(["a\nb": now + .seconds(9)], limit: 10, needsReplica: false, at: now)
    let revocations = revocations("hub")
    var exchange = RevocationExchange(revocations)
    #expect(exchange.run(&store, at: now) == nil)
    #expect(try !revocations.contains("b"))
  }
}
