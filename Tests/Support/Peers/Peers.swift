package import Foundation
internal import Glibc

/// What the peers have in common: the programs in Tests/Peers, and waiting for one of them.
package enum Peers {
  struct NotReady: Error, CustomStringConvertible {
    let description: String
  }

  package static func script(_ name: String) -> String {
    Repository.path("Tests/Peers/Programs/" + name)
  }

  /// Looks for `condition` again and again until it holds; false when that takes too long.
  package static func wait(
    atMost patience: TimeInterval = HoldfastProcess.patience, every interval: UInt32 = 5000,
    until condition: () throws -> Bool
  ) rethrows -> Bool {
    let limit = Date(timeIntervalSinceNow: patience)
    while try !condition() {
      guard Date() < limit else { return false }
      usleep(interval)
    }
    return true
  }
}
