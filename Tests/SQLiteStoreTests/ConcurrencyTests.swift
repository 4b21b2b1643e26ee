import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession
import HoldfastStores
import TestStores
import TestSupport
import Testing

@testable import HoldfastSQLiteStore

/// Hubs' threads on one store.
@Suite struct ConcurrencyTests {
  @Test func `no update is lost between threads`() throws {
    var store = try TestStore(joined: "anna")
    try store.command(.hall, .limit(.seconds(1000)))
    let handle = store.store
    let failures = Locked(0)
    try onThreads(8) { thread in
      var hub = handle
      for number in 1...25 {
        let id = "\(thread)-\(number)"
        let answer = try? hub.command(.hall, .extend(.seconds(1), request: id), id: id)
        if answer != .done("timer") { failures.withLock { $0 += 1 } }
      }
    }
    #expect(failures.withLock { $0 } == 0)
    #expect(try store.load(.hall, asking: nil).session.meeting?.timer.length == .seconds(1200))
  }

  @Test func `one command that many threads repeat is done once`() throws {
    var store = try TestStore(joined: "anna")
    try store.command(.hall, .limit(.seconds(1000)))
    let handle = store.store
    try onThreads(8) { _ in
      var hub = handle
      for number in 1...10 {
        _ = try? hub.command(.hall, .extend(.seconds(1), request: "\(number)"), id: "\(number)")
      }
    }
    #expect(try store.load(.hall, asking: nil).session.meeting?.timer.length == .seconds(1010))
  }

  @Test func `readers see one order of events beside commits`() throws {
    var store = try TestStore(joined: "anna")
    let first = try store.load(.hall, asking: nil).lastEvent
    let handle = store.store
    let seen = Locked<[[StoredEvent]]>([])
    try onThreads(6) { thread in
      var hub = handle
      guard thread >= 3 else {
        for _ in 1...30 { _ = try? hub.command(.hall, .limit(.seconds(.random(in: 1...80_000)))) }
        return
      }
      var events: [StoredEvent] = []
      for _ in 1...200 {
        guard case .events(let new) = try? hub.read(.hall, after: events.last?.id ?? first) else { continue }
        events += new
      }
      seen.withLock { $0.append(events) }
    }
    guard case .events(let all) = try store.read(.hall, after: first) else {
      Issue.record("the reader is reset")
      return
    }
    #expect(all.map(\.id.sequence) == (1...90).map { first.sequence + $0 })
    for events in seen.withLock({ $0 }) { #expect(events == Array(all.prefix(events.count))) }
  }

  /// The member beats again just when it expires: either the one or the other, in every run.
  @Test func `a lease is renewed or expires, not both`() throws {
    var store = try TestStore()
    for round in 1...40 {
      let name = try Session.Name("Hall \(round)")
      let lease = try store.join(name, "anna")
      store.pass(.seconds(20))
      let handle = store.store
      let renewed = Locked(false)
      try onThreads(2) { thread in
        var hub = handle
        if thread == 0 {
          _ = try? hub.advance(name, contactSince: WallTime(nanoseconds: 0))
        } else {
          let version = try? hub.beat(lease, statistics: nil, in: name)
          renewed.withLock { $0 = version != nil }
        }
      }
      let isPresent = try store.load(name, asking: nil).session.meeting?.present.isEmpty == false
      #expect(isPresent == renewed.withLock { $0 })
    }
  }
}
