package import HoldfastMediaModel
package import HoldfastSession
package import HoldfastStores
import TestRandomness

/// A store behind a network that loses, repeats and forgets.
package struct FaultyStore: ForwardingStore {
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

  package mutating func forward<Answer>(
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
