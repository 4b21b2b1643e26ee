internal import Glibc
internal import HoldfastCPlatform
package import HoldfastMediaModel

extension MonotonicTime {
  /// CLOCK_MONOTONIC, the clock of V4L2's and ALSA's timestamps.
  package static var now: MonotonicTime {
    var value = timespec()
    clock_gettime(CLOCK_MONOTONIC, &value)
    return MonotonicTime(nanoseconds: Int64(value.tv_sec) * 1_000_000_000 + Int64(value.tv_nsec))
  }
}

/// The wall clock, for showing only: nanoseconds since 1970.
package func wallClockNanoseconds() -> Int64 {
  var value = timespec()
  clock_gettime(CLOCK_REALTIME, &value)
  return Int64(value.tv_sec) * 1_000_000_000 + Int64(value.tv_nsec)
}
