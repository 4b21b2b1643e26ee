import HoldfastMediaModel
import HoldfastSession
import HoldfastStores

/// A store in which something happens right after each answer to a reader.
struct EventfulStore: Store {
  enum Verb: CaseIterable { case load, read }

  /// After the answers of which verbs something happens.
  var eventful: Set<Verb> = []
  private let name: Session.Name
  private var store = MemoryStore()

  init(_ name: Session.Name) { self.name = name }

  private mutating func happen(after verb: Verb) throws(StoreError) {
    guard eventful.contains(verb), let event = try? Session.CustomEvent(name: "cue") else { return }
    _ = try store.perform(in: name, by: .token(Session.Credential(.local))) { _ in .event(event) }
  }

  mutating func load(_ name: Session.Name, asking request: StoreRequest?) throws(StoreError) -> LoadedSession
  {
    let loaded = try store.load(name, asking: request)
    try happen(after: .load)
    return loaded
  }

  mutating func read(_ name: Session.Name, after event: EventID) throws(StoreError) -> EventPage {
    let page = try store.read(name, after: event)
    try happen(after: .read)
    return page
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
}
