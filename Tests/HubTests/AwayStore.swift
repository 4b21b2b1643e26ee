import HoldfastStores

/// A store that nobody reaches.
struct AwayStore: ForwardingStore, Sendable {
  mutating func forward<Answer>(
    _ verb: (inout MemoryStore) throws(StoreError) -> Answer
  ) throws(StoreError) -> Answer {
    throw .away(.lost("the network of the tests"))
  }
}
