internal import Glibc
package import HoldfastMediaModel

extension MonotonicTime {
  init(seconds: Double) {
    self.init(nanoseconds: Int64(seconds * 1e9))
  }

  package var seconds: Double { Double(nanoseconds) / 1e9 }

  /// The clock of the test picture's marks and of the fault proxy.
  package static func read() -> MonotonicTime {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}
