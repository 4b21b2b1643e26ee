package import HoldfastMediaModel
import HoldfastPlatform
package import HoldfastSession
package import HoldfastStores

/// A store in this process's memory, whose clock runs: for tests and demos, as its sessions end with the process.
package struct SharedMemoryStore: Store, Sendable {
  private struct Contents: Sendable {
    var store = MemoryStore()
    var at: MonotonicTime
  }

  private let contents: Locked<Contents>

  package init() { contents = Locked(Contents(at: .now)) }

  /// Goes on as a store that may have forgotten something.
  package func failOver() { with { $0.failOver(to: $0) } }

  /// Puts something else in the place of a stored session.
  package func replace(_ name: Session.Name, with stored: String) { with { $0.replace(name, with: stored) } }

  /// Lets time pass at once.
  package func pass(_ length: MediaTime) { with { $0.pass(length) } }

  private func with<Answer, Failure: Error>(
    _ verb: (inout MemoryStore) throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    try contents.withLock { contents throws(Failure) in
      let now = MonotonicTime.now
      contents.store.pass(now - contents.at)
      contents.at = now
      return try verb(&contents.store)
    }
  }

  package mutating func load(
    _ name: Session.Name, asking request: StoreRequest?
  ) throws(StoreError) -> LoadedSession {
    try with { store throws(StoreError) in try store.load(name, asking: request) }
  }

  package mutating func commit(_ commit: StoreCommit) throws(StoreError) -> CommitResult {
    try with { store throws(StoreError) in try store.commit(commit) }
  }

  package mutating func beat(
    _ lease: Session.Lease, statistics: String?, in name: Session.Name
  ) throws(StoreError) -> StoreVersion? {
    try with { store throws(StoreError) in try store.beat(lease, statistics: statistics, in: name) }
  }

  package mutating func levels(
    _ scores: String, of lease: Session.Lease, in name: Session.Name
  ) throws(StoreError) -> [Session.Lease: String]? {
    try with { store throws(StoreError) in try store.levels(scores, of: lease, in: name) }
  }

  package mutating func read(
    _ name: Session.Name, after event: EventID
  ) throws(StoreError) -> EventPage {
    try with { store throws(StoreError) in try store.read(name, after: event) }
  }

  package mutating func changes(after change: EventID?) throws(StoreError) -> ChangePage {
    try with { store throws(StoreError) in try store.changes(after: change) }
  }

  package mutating func due(within time: MediaTime) throws(StoreError) -> [Session.Name] {
    try with { store throws(StoreError) in try store.due(within: time) }
  }

  package mutating func postpone(
    _ name: Session.Name, to due: WallTime?, expected: StoreVersion
  ) throws(StoreError) {
    try with { store throws(StoreError) in try store.postpone(name, to: due, expected: expected) }
  }

  package mutating func revoke(
    _ tokens: [String: WallTime], limit: Int, needsReplica: Bool, at now: WallTime
  ) throws(StoreError) -> Bool {
    try with { store throws(StoreError) in
      try store.revoke(tokens, limit: limit, needsReplica: needsReplica, at: now)
    }
  }

  package mutating func revoked(after version: StoreVersion?) throws(StoreError) -> RevokedTokens? {
    try with { store throws(StoreError) in try store.revoked(after: version) }
  }
}
