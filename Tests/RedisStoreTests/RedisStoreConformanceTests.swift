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
    #expect(try conformance.check(TestedRedisStore()) == [])
  }
}

/// A store in a server of its own, whose time stands still unless it is let pass.
struct TestedRedisStore: TestableStore {
  private let scene: RedisScene
  private let store: RedisStore
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

  mutating func load(_ name: Session.Name, asking request: StoreRequest?) throws(StoreError) -> LoadedSession
  {
    try store.load(name, asking: request)
  }

  mutating func commit(_ commit: StoreCommit) throws(StoreError) -> CommitResult { try store.commit(commit) }

  mutating func beat(
    _ lease: Session.Lease, statistics: String?, in name: Session.Name
  ) throws(StoreError) -> StoreVersion? {
    try store.beat(lease, statistics: statistics, in: name)
  }

  mutating func levels(
    _ scores: String, of lease: Session.Lease, in name: Session.Name
  ) throws(StoreError) -> [Session.Lease: String]? {
    try store.levels(scores, of: lease, in: name)
  }

  mutating func read(_ name: Session.Name, after event: EventID) throws(StoreError) -> EventPage {
    try store.read(name, after: event)
  }

  mutating func changes(after change: EventID?) throws(StoreError) -> ChangePage {
    try store.changes(after: change)
  }

  mutating func due(within time: MediaTime) throws(StoreError) -> [Session.Name] {
    try store.due(within: time)
  }

  mutating func postpone(
    _ name: Session.Name, to due: WallTime?, expected: StoreVersion
  ) throws(StoreError) {
    try store.postpone(name, to: due, expected: expected)
  }

  mutating func revoke(
    _ tokens: [String: WallTime], limit: Int, needsReplica: Bool, at now: WallTime
  ) throws(StoreError) -> Bool {
    try store.revoke(tokens, limit: limit, needsReplica: needsReplica, at: now)
  }

  mutating func revoked(after version: StoreVersion?) throws(StoreError) -> RevokedTokens? {
    try store.revoked(after: version)
  }
}
