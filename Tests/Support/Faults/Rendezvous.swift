internal import Foundation

/// Where several threads wait for one another, but not for ever: one of them may never come.
package final class Rendezvous: @unchecked Sendable {  // guarded by `condition`
  private let condition = NSCondition()
  private let parties: Int
  private var waiting = 0
  private var round = 0

  package init(parties: Int) {
    self.parties = parties
  }

  /// Returns when all have called it, or after 20 seconds.
  package func meet() {
    condition.withLock {
      waiting += 1
      guard waiting < parties else {
        waiting = 0
        round += 1
        condition.broadcast()
        return
      }
      let own = round
      let limit = Date(timeIntervalSinceNow: 20)
      while own == round, condition.wait(until: limit) {}
      if own == round { waiting -= 1 }
    }
  }
}
