internal import HoldfastMediaModel

/// An instant of the wall clock. It is for showing: the clock jumps when somebody sets it.
public struct WallTime: Hashable, Comparable, Sendable, CustomStringConvertible {
  let inner: HoldfastMediaModel.WallTime

  /// Since the beginning of 1970, UTC.
  public var sinceEpoch: Duration { .nanoseconds(inner.nanoseconds) }
  /// `2026-11-21T04:22:10.123Z` (RFC 3339).
  public var description: String { inner.rfc3339 }

  public static func < (one: Self, other: Self) -> Bool { one.inner < other.inner }
}

extension Duration {
  init(_ time: MediaTime) { self = .nanoseconds(time.nanoseconds) }
}

extension MediaTime {
  /// What doesn't fit is as long as does.
  init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let (whole, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carries) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    self.init(nanoseconds: overflows || carries ? (seconds < 0 ? .min : .max) : sum)
  }
}
