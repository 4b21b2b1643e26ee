internal import Foundation
internal import HoldfastMediaModel

extension EventLines {
  /// What they say of the output to a server on `port`. `wallToMonotonic` is what has to be added, in seconds.
  package func outputChanges(to port: UInt16, wallToMonotonic: Double) -> [OutputChange] {
    named("output").compactMap { line in
      guard let url = line["url"] as? String, url.contains(":\(port)/") || url.hasSuffix(":\(port)"),
        let state = line["state"] as? String, let written = line["at"] as? String,
        let at = try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(written)
      else { return nil }
      let moment = MonotonicTime(seconds: at.timeIntervalSince1970 + wallToMonotonic)
      return OutputChange(at: moment, state: state, cause: line["cause"] as? String)
    }
  }
}
