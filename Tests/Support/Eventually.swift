package import Foundation
internal import Glibc

package struct TestFailure: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}

/// How long a test waits for anything, in seconds; far more than it should ever take, also on a machine that is busy.
package let testTimeout: TimeInterval = 60

/// Polls `condition` until it holds; false when that takes too long.
package func eventually(
  within timeout: TimeInterval = testTimeout, every interval: useconds_t = 8000,
  _ condition: () throws -> Bool
) rethrows -> Bool {
  let limit = Date(timeIntervalSinceNow: timeout)
  while try !condition() {
    guard Date() < limit else { return false }
    usleep(interval)
  }
  return true
}
