package import Foundation
import Glibc
package import HoldfastMediaModel
import HoldfastPlatform

package struct TestFailure: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// The error that `body` throws; nil if it throws none.
package func failure<Result, Failure: Error>(of body: () throws(Failure) -> Result) -> Failure? {
  do throws(Failure) {
    _ = try body()
    return nil
  } catch {
    return error
  }
}

/// The limit for each wait of a test, in seconds: generous, even for a busy machine.
package let testTimeout: TimeInterval = 60

/// The deadline of a wait that begins now.
package var generousDeadline: MonotonicTime { .now + .seconds(60) }

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
