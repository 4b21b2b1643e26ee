/// An instant of the monotonic clock, used for capture timestamps and timers.
package struct MonotonicTime: Hashable, Comparable, Sendable {
  package var nanoseconds: Int64

  package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

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

/// One instant on each of the machine's clocks.
package struct Instant: Hashable, Sendable {
  /// The clock of media and timers, which stops during sleep.
  package var monotonic: MonotonicTime
  package var sinceBoot: MediaTime
  package var wall: WallTime

  package init(monotonic: MonotonicTime, sinceBoot: MediaTime, wall: WallTime) {
    self.monotonic = monotonic
    self.sinceBoot = sinceBoot
    self.wall = wall
  }
}
