import HoldfastMediaModel
import HoldfastPlatform
import HoldfastStores
import TestSupport
import Testing

@testable import HoldfastHub

@Suite struct UpkeepTests {
  @Test func `a store's trouble is told when it begins, when it is of another kind, and when it is over`() {
    var health = StoreHealth()
    #expect(health.note(reading: nil) == nil)
    #expect(health.note(reading: .away(.lost("refused")))?.contains("can't be reached: refused") == true)
    #expect(health.note(reading: .away(.lost("no answer"))) == nil)
    #expect(health.note(reading: .away(.full("maxmemory")))?.contains("is full: maxmemory") == true)
    #expect(health.note(reading: nil) == "the store is back")
  }

  @Test func `a store that can be read but not written is in trouble until something is written`() {
    var health = StoreHealth()
    #expect(health.note(writing: .away(.full("no space")))?.contains("is full: no space") == true)
    #expect(health.note(reading: nil) == nil && health.trouble == .away(.full("no space")))
    #expect(health.note(writing: .away(.full("still none"))) == nil)
    #expect(health.note(writing: nil) == "the store is back" && health.trouble == nil)
  }

  @Test func `every thread of a hub reports its progress`() throws {
    let seen = Locked<Set<HubServer.Thread>>([])
    let hub = try TestHub(progressed: { thread in seen.withLock { _ = $0.insert(thread) } })
    #expect(eventually { seen.withLock { $0.count } == HubServer.Thread.allCases.count })
    withExtendedLifetime(hub) {}
  }
}
