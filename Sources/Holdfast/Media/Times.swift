package import HoldfastMediaModel
internal import HoldfastPlatform

/// An instant of the wall clock. It is for showing: the clock jumps when somebody sets it.
public struct WallTime: Hashable, Comparable, Sendable, CustomStringConvertible {
  let inner: HoldfastMediaModel.WallTime

  /// Since the beginning of 1970, UTC.
  public var sinceEpoch: Duration { .nanoseconds(inner.nanoseconds) }
  /// `2026-11-21T04:22:10.123Z` (RFC 3339).
  public var description: String { inner.rfc3339 }

  public static func < (one: Self, other: Self) -> Bool { one.inner < other.inner }
}

/// An instant of the machine's monotonic clock, which captured media is stamped with.
public struct CaptureTime: Hashable, Comparable, Sendable {
  /// Since the clock's zero, which means nothing by itself.
  public let elapsed: Duration

  /// What drivers stamp with: `CLOCK_MONOTONIC`.
  public init(elapsed: Duration) {
    self.elapsed = elapsed
  }

  public static var now: CaptureTime {
    CaptureTime(elapsed: Duration(MonotonicTime.now - MonotonicTime(nanoseconds: 0)))
  }

  public static func < (one: Self, other: Self) -> Bool { one.elapsed < other.elapsed }
  public static func + (instant: Self, length: Duration) -> Self { Self(elapsed: instant.elapsed + length) }
  public static func - (one: Self, other: Self) -> Duration { one.elapsed - other.elapsed }

  var inner: MonotonicTime { MonotonicTime(nanoseconds: 0) + MediaTime(elapsed) }
}

extension Duration {
  init(_ time: MediaTime) { self = .nanoseconds(time.nanoseconds) }
}

extension MediaTime {
  /// What doesn't fit is as long as does.
  package init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let (whole, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carries) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    self.init(nanoseconds: overflows || carries ? (seconds < 0 ? .min : .max) : sum)
  }
}

extension RawRepresentable<String> {
  /// The case of the same name: public enumerations repeat internal ones name by name.
  init(as other: some RawRepresentable<String>) {
    self.init(name: other.rawValue)
  }

  init(name: String) {
    guard let named = Self(rawValue: name) else { preconditionFailure("\(Self.self) lacks \(name)") }
    self = named
  }
}
