/// An instant on the machine's monotonic clock: what drivers stamp frames with and what timers wait for.
///
/// It is a type of its own so that an instant of the machine and a place on the media time line can't be mixed up.
package struct MonotonicTime: Hashable, Comparable, Sendable {
  package var nanoseconds: Int64

  package init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  package static func < (left: MonotonicTime, right: MonotonicTime) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  package static func - (left: MonotonicTime, right: MonotonicTime) -> MediaTime {
    MediaTime(nanoseconds: left.nanoseconds - right.nanoseconds)
  }

  package static func + (instant: MonotonicTime, length: MediaTime) -> MonotonicTime {
    MonotonicTime(nanoseconds: instant.nanoseconds + length.nanoseconds)
  }

  package static func - (instant: MonotonicTime, length: MediaTime) -> MonotonicTime {
    MonotonicTime(nanoseconds: instant.nanoseconds - length.nanoseconds)
  }
}
