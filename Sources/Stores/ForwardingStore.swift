package import HoldfastMediaModel
package import HoldfastSession

/// A store in front of another one, to which all verbs go on that it doesn't define itself.
package protocol ForwardingStore: Store {
  associatedtype Target: Store

  mutating func forward<Answer>(
    _ verb: (inout Target) throws(StoreError) -> Answer
  ) throws(StoreError) -> Answer
}

extension ForwardingStore {
  package mutating func load(
    _ name: Session.Name, asking request: StoreRequest?
  ) throws(StoreError) -> LoadedSession {
    try forward { store throws(StoreError) in try store.load(name, asking: request) }
  }

  package mutating func commit(_ commit: StoreCommit) throws(StoreError) -> CommitResult {
    try forward { store throws(StoreError) in try store.commit(commit) }
  }

  package mutating func beat(
    _ lease: Session.Lease, statistics: String?, in name: Session.Name
  ) throws(StoreError) -> StoreVersion? {
    try forward { store throws(StoreError) in try store.beat(lease, statistics: statistics, in: name) }
  }

  package mutating func levels(
    _ scores: String, of lease: Session.Lease, in name: Session.Name
  ) throws(StoreError) -> [Session.Lease: String]? {
    try forward { store throws(StoreError) in try store.levels(scores, of: lease, in: name) }
  }

  package mutating func heard(in name: Session.Name) throws(StoreError) -> [Session.Lease: String] {
    try forward { store throws(StoreError) in try store.heard(in: name) }
  }

  package mutating func read(_ name: Session.Name, after event: EventID) throws(StoreError) -> EventPage {
    try forward { store throws(StoreError) in try store.read(name, after: event) }
  }

  package mutating func changes(after change: EventID?) throws(StoreError) -> ChangePage {
    try forward { store throws(StoreError) in try store.changes(after: change) }
  }

  package mutating func due(within time: MediaTime) throws(StoreError) -> [Session.Name] {
    try forward { store throws(StoreError) in try store.due(within: time) }
  }

  package mutating func postpone(
    _ name: Session.Name, to due: WallTime?, expected: StoreVersion
  ) throws(StoreError) {
    try forward { store throws(StoreError) in try store.postpone(name, to: due, expected: expected) }
  }

  package mutating func revoke(
    _ tokens: [String: WallTime], limit: Int, needsReplica: Bool, at now: WallTime
  ) throws(StoreError) -> Bool {
    try forward { store throws(StoreError) in
      try store.revoke(tokens, limit: limit, needsReplica: needsReplica, at: now)
    }
  }

  package mutating func revoked(after version: StoreVersion?) throws(StoreError) -> RevokedTokens? {
    try forward { store throws(StoreError) in try store.revoked(after: version) }
  }
}
