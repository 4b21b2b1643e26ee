import HoldfastMediaModel
import HoldfastSession
import HoldfastStores
import TestStores
import Testing

/// When a store says that a session has to be looked at, by what hubs have committed.
@Suite struct DueTests {
  private static let longAgo = WallTime(nanoseconds: 1_700_000_000_000_000_000)

  @Test func `commands put nobody's silence off`() throws {
    var store = MemoryStore()
    let anna = try store.join(.hall, "anna", 1, .person)
    try store.join(.hall, "max", 2, .person)
    let host = Session.Caller.host("another")
    for number in 1...13 {
      store.pass(.seconds(1))
      _ = try store.beat(anna, statistics: nil, in: .hall)
      _ = try store.perform(in: .hall, by: host) { _ in number.isMultiple(of: 2) ? .unlock : .lock }
    }
    #expect(try store.due(within: .zero) == [.hall])
    let events = try store.advance(.hall, contactSince: Self.longAgo)
    #expect(events.map(\.name) == ["reported"])
    #expect(try store.due(within: .zero) == [])
  }

  @Test func `a session in which nothing was to be done is due later`() throws {
    var store = MemoryStore()
    let anna = try store.join(.hall, "anna", 1, .person)
    store.pass(.seconds(12))
    _ = try store.beat(anna, statistics: nil, in: .hall)
    store.pass(.seconds(1))
    #expect(try store.due(within: .zero) == [.hall])
    #expect(try store.advance(.hall, contactSince: Self.longAgo) == [])
    #expect(try store.due(within: .zero) == [])
    store.pass(.milliseconds(11_999))
    #expect(try store.due(within: .zero) == [])
    store.pass(.milliseconds(1))
    #expect(try store.due(within: .zero) == [.hall])
    #expect(try store.advance(.hall, contactSince: Self.longAgo).map(\.name) == ["reported"])
  }

  @Test func `a hub that is new to the store looks again in a second`() throws {
    var store = MemoryStore()
    try store.join(.hall, "anna", 1, .person)
    store.pass(.seconds(30))
    #expect(try store.advance(.hall, contactSince: store.now) == [])
    #expect(try store.due(within: .zero) == [])
    store.pass(.seconds(1))
    #expect(try store.due(within: .zero) == [.hall])
  }
}
