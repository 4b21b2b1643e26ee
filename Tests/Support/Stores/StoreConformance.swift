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

/// What every store has to do, whatever it is made of; each check returns what it found wrong.
package enum StoreConformance: String, CaseIterable, Sendable {
  case `an unknown session is empty`
  case `what is committed is loaded`
  case `one of two commits on one version is a conflict`
  case `a request is carried out once`
  case `a request's id means one command`
  case `an answer is kept for ten minutes`
  case `a beat renews what there is`
  case `statistics live as long as their lease`
  case `an expiry is refused if the lease was renewed`
  case `an expired lease is not renewed`
  case `events are read in one order`
  case `a reader that knows too little begins anew`
  case `levels count for a second`
  case `an ended session has no leases`
  case `a forgotten session is deleted, and its numbers go on`
  case `the end of an empty session can be read though it is deleted`
  case `what is due is found`
  case `all sessions are in the list of what is due some day`
  case `what has changed is found`
  case `a new epoch makes versions, leases and events outdated`
  case `names that are equal are one session`
  case `a session that can't be read is not written over`
  case `a revoked token is known until long after it expires`

  package func check(_ store: some TestableStore) throws -> [String] {
    var probe = StoreProbe(store: store)
    switch self {
    case .`an unknown session is empty`: try probe.checkUnknown()
    case .`what is committed is loaded`: try probe.checkCommitted()
    case .`one of two commits on one version is a conflict`: try probe.checkConflict()
    case .`a request is carried out once`: try probe.checkRepeat()
    case .`a request's id means one command`: try probe.checkIDUsed()
    case .`an answer is kept for ten minutes`: try probe.checkForgottenAnswer()
    case .`a beat renews what there is`: try probe.checkBeat()
    case .`statistics live as long as their lease`: try probe.checkStatistics()
    case .`an expiry is refused if the lease was renewed`: try probe.checkRenewed()
    case .`an expired lease is not renewed`: try probe.checkExpired()
    case .`events are read in one order`: try probe.checkEvents()
    case .`a reader that knows too little begins anew`: try probe.checkReset()
    case .`levels count for a second`: try probe.checkLevels()
    case .`an ended session has no leases`: try probe.checkEnded()
    case .`a forgotten session is deleted, and its numbers go on`: try probe.checkForgotten()
    case .`the end of an empty session can be read though it is deleted`: try probe.checkEmptied()
    case .`what is due is found`: try probe.checkDue()
    case .`all sessions are in the list of what is due some day`: try probe.checkList()
    case .`what has changed is found`: try probe.checkChanges()
    case .`a new epoch makes versions, leases and events outdated`: try probe.checkEpoch()
    case .`names that are equal are one session`: try probe.checkNames()
    case .`a session that can't be read is not written over`: try probe.checkUnreadable()
    case .`a revoked token is known until long after it expires`: try probe.checkRevoked()
    }
    return probe.findings
  }
}
