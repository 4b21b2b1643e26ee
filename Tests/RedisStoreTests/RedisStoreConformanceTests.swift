import HoldfastMediaModel
import HoldfastSession
import HoldfastStores
import TestStores
import TestSupport
import TestTraits
import Testing

@testable import HoldfastRedisStore

@Suite(.realTime) struct RedisStoreConformanceTests {
  @Test(arguments: StoreConformance.allCases)
  func `the store in Redis does what every store has to`(conformance: StoreConformance) throws {
    let problems = try conformance.check(TestedRedisStore())
    #expect(problems == [])
  }
}

/// A store in a server of its own, whose time stands still unless it is let pass.
struct TestedRedisStore: TestableStore, ForwardingStore {
  private let scene: RedisScene
  private var store: RedisStore
  private var time = WallTime(nanoseconds: 1_800_000_000_000_000_000)

  init() throws {
    scene = try RedisScene()
    store = try scene.store()
    store.testTime = time
  }

  mutating func pass(_ length: MediaTime) {
    time = time + length
    store.testTime = time
  }

  /// As a failover does, without one.
  mutating func failOver() { ask("DEBUG", "CHANGE-REPL-ID") }

  func holds(_ name: Session.Name) -> Bool { ask("HEXISTS", SessionKeys(name).state, "blob") == "1" }

  mutating func replace(_ name: Session.Name, with stored: String) {
    ask("HSET", SessionKeys(name).state, "blob", stored)
  }

  @discardableResult
  private func ask(_ words: String...) -> String {
    do {
      return try scene.server.ask(words)
    } catch {
      Issue.record("\(error)")
      return ""
    }
  }

  mutating func forward<Answer>(
    _ verb: (inout RedisStore) throws(StoreError) -> Answer
  ) throws(StoreError) -> Answer { try verb(&store) }
}
