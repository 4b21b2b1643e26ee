import HoldfastHTTP
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastStores
import TestSupport
import Testing

@testable import HoldfastHub
@testable import HoldfastTokens

/// Tokens that are revoked at one of several hubs.
@Suite struct RevocationTests {
  private static let path = "/v1/sessions/Hall"

  private func revoke(_ body: JSONValue, at hub: TestHub, by token: String) throws -> String {
    try hub.send("POST", "/v1/revocations", body, token: token).verdict
  }

  private func isRefused(_ token: String, at hub: TestHub) throws -> Bool {
    try hub.send("GET", Self.path, token: token).verdict == "401 tokenRevoked"
  }

  @Test func `a token that is revoked at one hub is refused there at once, and soon at the others`() throws {
    let store = SharedMemoryStore()
    let (left, right) = (try TestHub(stores: { store }), try TestHub(stores: { store }))
    let (host, guest) = (try left.token(.host), try left.token(.participant, name: "Max"))
    _ = try left.join("Anna", token: host)
    _ = try left.join("Max", token: guest)
    #expect(try right.send("GET", Self.path, token: guest).verdict == "200")
    #expect(try revoke(["token": .text(guest)], at: left, by: host) == "200")
    #expect(try isRefused(guest, at: left))
    #expect(try eventually { try isRefused(guest, at: right) })
    #expect(try right.send("GET", Self.path, token: host).verdict == "200")
  }

  @Test(arguments: [0, 1])
  func `the events of a revoked token end at every hub`(reader: Int) throws {
    let store = SharedMemoryStore()
    let hubs = try (0..<2).map { _ in try TestHub(stores: { store }) }
    let (host, guest) = (try hubs[0].token(.host), try hubs[0].token(.participant, name: "Max"))
    _ = try hubs[0].join("Anna", token: host)
    _ = try hubs[0].join("Max", token: guest)
    let events = try EventReading(at: hubs[reader], token: guest)
    #expect(try events.next().name == "reset")
    #expect(try revoke(["token": .text(guest)], at: hubs[0], by: host) == "200")
    #expect(try events.next().name == "tokenRevoked")
    #expect(events.isOver())
  }

  @Test func `nothing is revoked while the store is away`() throws {
    let hub = try TestHub(stores: { AwayStore() })
    let (host, guest) = (try hub.token(.host), try hub.token(.participant, name: "Max"))
    #expect(try revoke(["token": .text(guest)], at: hub, by: host) == "503 storeAway")
    #expect(try hub.send("GET", Self.path, token: guest).verdict == "503 storeAway")
  }

  @Test func `a store whose list is full says so, and has room left for operators`() throws {
    let hub = try TestHub()
    var store = hub.store
    let expiries = (0..<9000).map { ("id-\($0)", WallTime.now + .seconds(60)) }
    _ = try store.revoke(Dictionary(expiries) { $1 }, limit: 10_000, needsReplica: false, at: .now)
    let (host, guest) = (try hub.token(.host), try hub.token(.participant, name: "Max"))
    #expect(try revoke(["token": .text(guest)], at: hub, by: host) == "503 notTaken")
    #expect(try hub.send("GET", Self.path, token: guest).verdict == "404 noSuchSession")
    #expect(try revoke(["token": .text(guest)], at: hub, by: hub.token(.operator)) == "200")
    #expect(try isRefused(guest, at: hub))
  }

  @Test func `a host revokes tokens of its session, and an operator all, also by their ids`() throws {
    let hub = try TestHub()
    let (host, chief) = (try hub.token(.host), try hub.token(.operator))
    let guest = try hub.token(.participant, name: "Max")
    let other: JSONValue = ["token": .text(try hub.token(.host, of: "Other"))]
    let id: JSONValue = ["id": .text(try UncheckedToken(reading: guest).token.id)]
    #expect(try revoke(other, at: hub, by: host) == "401 tokenOfAnotherSession")
    #expect(try revoke(id, at: hub, by: host) == "403 notAllowed")
    for token in [guest, try hub.token(.worker)] {
      #expect(try revoke(other, at: hub, by: token) == "403 notAllowed")
    }
    #expect(try revoke(["id": "id-of-nobody"], at: hub, by: chief) == "404 noSuchToken")
    #expect(try revoke(["id": "a", "token": "b"], at: hub, by: chief) == "422 badValue")
    #expect(try revoke([:], at: hub, by: chief) == "422 badValue")
    #expect(try !isRefused(guest, at: hub))
    #expect(try revoke(id, at: hub, by: chief) == "200")
    #expect(try isRefused(guest, at: hub))
    #expect(try revoke(other, at: hub, by: chief) == "200")
  }
}
