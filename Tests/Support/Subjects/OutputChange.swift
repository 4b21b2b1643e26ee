import Foundation
package import HoldfastMediaModel

/// A state change of an output, as reported by a publisher.
package struct OutputChange: Hashable, Sendable {
  package let at: MonotonicTime
  /// The state in event lines: `publishing`, `stalled`, `waiting`…
  package let state: String
  package let cause: String?
}

extension EventLines {
  /// The changes of the output to a server on `port`. `wallToMonotonic` is the clock offset in seconds.
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

/// A timestamp field of an event line.
package func wallTime(_ field: Any?) -> WallTime? { (field as? String).flatMap(WallTime.init(rfc3339:)) }

/// The same in seconds.
package func wallSeconds(_ field: Any?) -> Double? { wallTime(field).map { Double($0.nanoseconds) / 1e9 } }
