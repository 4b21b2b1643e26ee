package import HoldfastMediaModel
package import HoldfastSession
package import HoldfastStores

/// A store whose time a test can let pass: set, where the clock is the test's, waited for elsewhere.
package protocol TestableStore: Store {
  mutating func pass(_ length: MediaTime)
  /// Goes on as a store that may have forgotten something.
  mutating func failOver()
  /// Whether there is a stored session, whatever is in it.
  func holds(_ name: Session.Name) -> Bool
  /// Writes a stored session over the one that is there.
  mutating func replace(_ name: Session.Name, with stored: String)
}

extension MemoryStore: TestableStore {
  package mutating func failOver() { failOver(to: self) }
}

extension FaultyStore: TestableStore {
  package mutating func failOver() { failOver(forgetting: 0) }
}

/// What every store has to do, whatever it is made of.
package struct StoreConformance: Sendable, CustomStringConvertible {
  package let description: String
  private let examine: @Sendable (inout StoreProbe) throws -> Void

  private init(_ description: String, _ examine: @escaping @Sendable (inout StoreProbe) throws -> Void) {
    (self.description, self.examine) = (description, examine)
  }

  package static let allCases = [
    StoreConformance("an unknown session is empty") { try $0.checkUnknown() },
    StoreConformance("what is committed is loaded") { try $0.checkCommitted() },
    StoreConformance("one of two commits on one version is a conflict") { try $0.checkConflict() },
    StoreConformance("a request is carried out once") { try $0.checkRepeat() },
    StoreConformance("a request's id means one command") { try $0.checkIDUsed() },
    StoreConformance("an answer is kept for ten minutes") { try $0.checkForgottenAnswer() },
    StoreConformance("a beat renews what there is") { try $0.checkBeat() },
    StoreConformance("statistics live as long as their lease") { try $0.checkStatistics() },
    StoreConformance("an expiry is refused if the lease was renewed") { try $0.checkRenewed() },
    StoreConformance("an expired lease is not renewed") { try $0.checkExpired() },
    StoreConformance("events are read in one order") { try $0.checkEvents() },
    StoreConformance("a reader that knows too little begins anew") { try $0.checkReset() },
    StoreConformance("levels count for a second") { try $0.checkLevels() },
    StoreConformance("an ended session has no leases") { try $0.checkEnded() },
    StoreConformance("a forgotten session is deleted, and its numbers go on") { try $0.checkForgotten() },
    StoreConformance("the end of an empty session can be read though it is deleted") {
      try $0.checkEmptied()
    },
    StoreConformance("what is due is found") { try $0.checkDue() },
    StoreConformance("all sessions are in the list of what is due some day") { try $0.checkList() },
    StoreConformance("what has changed is found") { try $0.checkChanges() },
    StoreConformance("a new epoch makes versions, leases and events outdated") { try $0.checkEpoch() },
    StoreConformance("names that are equal are one session") { try $0.checkNames() },
    StoreConformance("a session that can't be read is not written over") { try $0.checkUnreadable() },
    StoreConformance("a revoked token is known until long after it expires") { try $0.checkRevoked() },
  ]

  /// Returns what it found wrong with the store.
  package func check(_ store: any TestableStore) throws -> [String] {
    var probe = StoreProbe(store: store)
    try examine(&probe)
    return probe.findings
  }
}
