package import HoldfastMediaModel
package import HoldfastSession
package import HoldfastStores
import TestRandomness

/// A store behind a network that loses, repeats and forgets.
package struct FaultyStore: Store {
  package enum Fault: CaseIterable, Hashable, Sendable {
    case requestLost
    /// The request was carried out.
    case answerLost
    /// The request arrives twice; the second answer is the one that is seen.
    case cameTwice
    /// The store has failed over to a replica that lacks some of the last writes.
    case forgot
  }

  package private(set) var store: MemoryStore
  /// As it was before the last writes, the oldest first.
  private var replicas: [MemoryStore] = []
  private var choice: SplitMix64
  /// One verb in so many meets with a fault; 0 for none.
  package var faultsOneIn = 0
  package var allowed = Set(Fault.allCases)
  /// What happens to the next verbs, before chance does.
  package var next: [Fault?] = []

  package init(_ store: MemoryStore = MemoryStore(), seed: UInt64 = 0) {
    self.store = store
    choice = SplitMix64(seed: seed)
  }

  package mutating func pass(_ length: MediaTime) { store.pass(length) }

  package func holds(_ name: Session.Name) -> Bool { store.holds(name) }

  package mutating func replace(_ name: Session.Name, with stored: String) {
    store.replace(name, with: stored)
  }

  package mutating func failOver(forgetting writes: Int) {
    store.failOver(to: replicas.suffix(writes).first ?? store)
    replicas = []
  }

  package mutating func load(
    _ name: Session.Name, asking request: StoreRequest?
  ) throws(StoreError) -> LoadedSession {
    try meet { store throws(StoreError) in try store.load(name, asking: request) }
  }

  package mutating func commit(_ commit: StoreCommit) throws(StoreError) -> CommitResult {
    try meet { store throws(StoreError) in try store.commit(commit) }
  }

  package mutating func beat(
    _ lease: Session.Lease, statistics: String?, in name: Session.Name
  ) throws(StoreError) -> StoreVersion? {
    try meet { store throws(StoreError) in try store.beat(lease, statistics: statistics, in: name) }
  }

  package mutating func levels(
    _ scores: String, of lease: Session.Lease, in name: Session.Name
  ) throws(StoreError) -> [Session.Lease: String]? {
    try meet { store throws(StoreError) in try store.levels(scores, of: lease, in: name) }
  }

  package mutating func read(
    _ name: Session.Name, after event: EventID
  ) throws(StoreError) -> EventPage {
    try meet { store throws(StoreError) in try store.read(name, after: event) }
  }

  package mutating func changes(after change: EventID?) throws(StoreError) -> ChangePage {
    try meet { store throws(StoreError) in try store.changes(after: change) }
  }

  package mutating func due(within time: MediaTime) throws(StoreError) -> [Session.Name] {
    try meet { store throws(StoreError) in try store.due(within: time) }
  }

  package mutating func postpone(
    _ name: Session.Name, to due: WallTime?, expected: StoreVersion
  ) throws(StoreError) {
    try meet { store throws(StoreError) in try store.postpone(name, to: due, expected: expected) }
  }

  package mutating func revoke(
    _ tokens: [String: WallTime], limit: Int, needsReplica: Bool, at now: WallTime
  ) throws(StoreError) -> Bool {
    try meet { store throws(StoreError) in
      try store.revoke(tokens, limit: limit, needsReplica: needsReplica, at: now)
    }
  }

  package mutating func revoked(after version: StoreVersion?) throws(StoreError) -> RevokedTokens? {
    try meet { store throws(StoreError) in try store.revoked(after: version) }
  }

  private mutating func meet<Answer>(
    _ verb: (inout MemoryStore) throws(StoreError) -> Answer
  ) throws(StoreError) -> Answer {
    let fault = drawFault()
    if fault == .requestLost { throw .away(.lost("the network")) }
    if fault == .forgot { failOver(forgetting: Int.random(in: 1...3, using: &choice)) }
    let before = store
    var answer = try verb(&store)
    if fault == .cameTwice { answer = try verb(&store) }
    if store != before { replicas = replicas.suffix(4) + [before] }
    if fault == .answerLost { throw .away(.lost("the network")) }
    return answer
  }

  private mutating func drawFault() -> Fault? {
    if !next.isEmpty { return next.removeFirst() }
    guard faultsOneIn > 0, Int.random(in: 0..<faultsOneIn, using: &choice) == 0 else { return nil }
    return Fault.allCases.filter(allowed.contains).randomElement(using: &choice)
  }
}
