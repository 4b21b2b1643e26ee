import HoldfastMediaModel
import HoldfastSession
import HoldfastStores

/// A store that nobody reaches.
struct AwayStore: Store, Sendable {
  private static let trouble = StoreError.away(.lost("the network of the tests"))

  mutating func load(_: Session.Name, asking _: StoreRequest?) throws(StoreError) -> LoadedSession {
    throw Self.trouble
  }
  mutating func commit(_: StoreCommit) throws(StoreError) -> CommitResult { throw Self.trouble }
  mutating func beat(_: Session.Lease, statistics _: String?, in _: Session.Name) throws(StoreError)
    -> StoreVersion?
  { throw Self.trouble }
  mutating func levels(_: String, of _: Session.Lease, in _: Session.Name) throws(StoreError) -> [Session
    .Lease: String]?
  { throw Self.trouble }
  mutating func read(_: Session.Name, after _: EventID) throws(StoreError) -> EventPage { throw Self.trouble }
  mutating func changes(after _: EventID?) throws(StoreError) -> ChangePage { throw Self.trouble }
  mutating func due(within _: MediaTime) throws(StoreError) -> [Session.Name] { throw Self.trouble }
  mutating func postpone(_: Session.Name, to _: WallTime?, expected _: StoreVersion) throws(StoreError) {
    throw Self.trouble
  }
  mutating func revoke(
    _: [String: WallTime], limit _: Int, needsReplica _: Bool, at _: WallTime
  ) throws(StoreError) -> Bool {
    throw Self.trouble
  }
  mutating func revoked(after _: StoreVersion?) throws(StoreError) -> RevokedTokens? { throw Self.trouble }
}
