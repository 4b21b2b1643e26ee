import HoldfastHTTP
import HoldfastMediaModel
import HoldfastPlatform

/// Counts the requests for which there was no room.
final class OverloadRefusals: Sendable {
  private struct Counts {
    var all = 0
    var unreported = 0
    var nextReport: MonotonicTime?
  }

  private let counts = Locked(Counts())

  static let interval = MediaTime.seconds(60)

  /// What to tell people, once a minute at most.
  func add(at now: MonotonicTime) -> String? {
    counts.withLock { counts in
      counts.all += 1
      counts.unreported += 1
      if let next = counts.nextReport, now < next { return nil }
      counts.nextReport = now + Self.interval
      defer { counts.unreported = 0 }
      return
        "the hub is too busy: it refused \(counts.unreported) request\(counts.unreported == 1 ? "" : "s")"
    }
  }

  var count: Int { counts.withLock { $0.all } }
}

extension HTTPRequest {
  /// A beat, or what counts as one.
  var mayRenewLease: Bool {
    method == "POST" && lease != nil && (path.hasSuffix("/beat") || path.hasSuffix("/levels"))
  }
}
