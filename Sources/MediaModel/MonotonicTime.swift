/// An instant on the machine's monotonic clock: what drivers stamp frames with and what timers wait for.
///
/// It is a type of its own so that an instant of the machine and a place on the media time line can't be mixed up.
public struct MonotonicTime: Hashable, Comparable, Sendable {
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  public static func < (left: MonotonicTime, right: MonotonicTime) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  public static func - (left: MonotonicTime, right: MonotonicTime) -> MediaTime {
    MediaTime(nanoseconds: left.nanoseconds - right.nanoseconds)
  }

  public static func + (instant: MonotonicTime, length: MediaTime) -> MonotonicTime {
    MonotonicTime(nanoseconds: instant.nanoseconds + length.nanoseconds)
  }

  public static func - (instant: MonotonicTime, length: MediaTime) -> MonotonicTime {
    MonotonicTime(nanoseconds: instant.nanoseconds - length.nanoseconds)
  }
}
