internal import Foundation
package import HoldfastMediaModel

/// What a publisher said of one of its outputs.
package struct OutputChange: Hashable, Sendable {
  package let at: MonotonicTime
  /// As in the event lines: `publishing`, `stalled`, `waiting`…
  package let state: String
  package let cause: String?
}

extension EventLines {
  /// What they say of the output to a server on `port`. `wallToMonotonic` is what has to be added, in seconds.
  package func outputChanges(to port: UInt16, wallToMonotonic: Double) -> [OutputChange] {
    named("output").compactMap { line in
      guard let url = line["url"] as? String, url.contains(":\(port)/") || url.hasSuffix(":\(port)"),
        let state = line["state"] as? String, let at = wallSeconds(line["at"])
      else { return nil }
      return OutputChange(
        at: MonotonicTime(seconds: at + wallToMonotonic), state: state, cause: line["cause"] as? String)
    }
  }
}

/// The moment that a field of an event line names, in seconds of the wall clock.
package func wallSeconds(_ field: Any?) -> Double? {
  (field as? String).flatMap(WallTime.init(rfc3339:)).map { Double($0.nanoseconds) / 1e9 }
}
