package import HoldfastMediaModel
import HoldfastPlatform

/// A wall-clock time. Use it for display only: the clock jumps when it is set.
public struct WallTime: Hashable, Comparable, Sendable, CustomStringConvertible {
  let inner: HoldfastMediaModel.WallTime

  init(inner: HoldfastMediaModel.WallTime) { self.inner = inner }

  /// Creates a time from the time since 1970-01-01 00:00 UTC.
  public init(sinceEpoch: Duration) {
    inner = HoldfastMediaModel.WallTime(nanoseconds: MediaTime(sinceEpoch).nanoseconds)
  }

  /// The time since 1970-01-01 00:00 UTC.
  public var sinceEpoch: Duration { .nanoseconds(inner.nanoseconds) }
  /// The time in RFC 3339: `2026-11-21T04:22:10.123Z`.
  public var description: String { inner.rfc3339 }

  public static func < (one: Self, other: Self) -> Bool { one.inner < other.inner }
}

/// A time of the machine's monotonic clock, which timestamps captured media.
public struct CaptureTime: Hashable, Comparable, Sendable {
  /// The time since the clock's arbitrary zero.
  public let elapsed: Duration

  /// Creates a time from `CLOCK_MONOTONIC`, the clock of driver timestamps.
  public init(elapsed: Duration) { self.elapsed = elapsed }

  public static var now: CaptureTime {
    CaptureTime(elapsed: Duration(MonotonicTime.now - MonotonicTime(nanoseconds: 0)))
  }

  public static func < (one: Self, other: Self) -> Bool { one.elapsed < other.elapsed }
  public static func + (time: Self, duration: Duration) -> Self { Self(elapsed: time.elapsed + duration) }
  public static func - (one: Self, other: Self) -> Duration { one.elapsed - other.elapsed }

  var inner: MonotonicTime { MonotonicTime(nanoseconds: 0) + MediaTime(elapsed) }
}

extension Duration {
  init(_ time: MediaTime) { self = .nanoseconds(time.nanoseconds) }
}

extension MediaTime {
  /// Clamps durations that do not fit.
  package init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let (whole, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carries) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    self.init(nanoseconds: overflows || carries ? (seconds < 0 ? .min : .max) : sum)
  }
}

extension RawRepresentable<String> {
  /// The case of the same name; public enumerations mirror internal ones.
  init(as other: some RawRepresentable<String>) { self.init(name: other.rawValue) }

  init(name: String) {
    guard let named = Self(rawValue: name) else { preconditionFailure("\(Self.self) lacks \(name)") }
    self = named
  }
}
