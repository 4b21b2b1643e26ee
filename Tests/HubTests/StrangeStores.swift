import HoldfastMediaModel
import HoldfastSession
import HoldfastStores
import TestStores

/// A store in which something happens right after each answer to a reader.
struct EventfulStore: ForwardingStore {
  enum Verb: CaseIterable { case load, read }

  /// After the answers of which verbs something happens.
  var eventful: Set<Verb> = []
  private var store = MemoryStore()

  private mutating func happen(after verb: Verb) throws(StoreError) {
    guard eventful.contains(verb), let event = try? Session.CustomEvent(name: "cue") else { return }
    _ = try store.perform(in: .hall, by: .token(Session.Credential(.local))) { _ in .event(event) }
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

  mutating func forward<Answer>(
    _ verb: (inout MemoryStore) throws(StoreError) -> Answer
  ) throws(StoreError) -> Answer { try verb(&store) }
}

/// A store that nobody reaches.
struct AwayStore: ForwardingStore, Sendable {
  mutating func forward<Answer>(
    _ verb: (inout MemoryStore) throws(StoreError) -> Answer
  ) throws(StoreError) -> Answer {
    throw .away(.lost("the network of the tests"))
  }
}
