import HoldfastMediaModel
import HoldfastPlatform
import HoldfastStores
import TestSupport
import Testing

@testable import HoldfastHub

@Suite struct UpkeepTests {
  @Test func `a store's trouble is told when it begins, when it is of another kind, and when it is over`() {
    var health = StoreHealth()
    #expect(health.note(nil) == nil)
    #expect(health.note(.away(.lost("refused")))?.contains("can't be reached: refused") == true)
    #expect(health.note(.away(.lost("no answer"))) == nil)
    #expect(health.note(.away(.full("maxmemory")))?.contains("is full: maxmemory") == true)
    #expect(health.note(nil) == "the store is back")
  }

  @Test func `every thread of a hub reports its progress`() throws {
    let seen = Locked<Set<HubServer.Thread>>([])
    let hub = try TestHub(progressed: { thread in seen.withLock { _ = $0.insert(thread) } })
    #expect(eventually { seen.withLock { $0.count } == HubServer.Thread.allCases.count })
    withExtendedLifetime(hub) {}
  }
}
