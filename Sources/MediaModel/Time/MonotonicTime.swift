/// An instant of the machine's monotonic clock, which drivers stamp frames with and timers wait for.
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

/// One moment on each of the machine's clocks.
package struct Instant: Hashable, Sendable {
  /// The clock of media and timers, which stands still while the machine sleeps.
  package var monotonic: MonotonicTime
  /// The time since the machine was booted, including sleep.
  package var sinceBoot: MediaTime
  package var wall: WallTime

  package init(monotonic: MonotonicTime, sinceBoot: MediaTime, wall: WallTime) {
    self.monotonic = monotonic
    self.sinceBoot = sinceBoot
    self.wall = wall
  }
}
