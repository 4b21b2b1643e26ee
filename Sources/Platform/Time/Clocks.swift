import Glibc
import HoldfastCPlatform
package import HoldfastMediaModel

extension MonotonicTime {
  /// CLOCK_MONOTONIC, the clock of V4L2's and ALSA's timestamps.
  package static var now: MonotonicTime { MonotonicTime(nanoseconds: reading(CLOCK_MONOTONIC)) }
}

extension WallTime {
  /// For display only, as the clock may be set.
  package static var now: WallTime { WallTime(nanoseconds: reading(CLOCK_REALTIME)) }
}

extension Instant {
  package static var now: Instant { Instant(monotonic: .now, sinceBoot: timeSinceBoot(), wall: .now) }
}

/// The time since boot, including sleep (CLOCK_BOOTTIME).
package func timeSinceBoot() -> MediaTime { MediaTime(nanoseconds: reading(CLOCK_BOOTTIME)) }

private func reading(_ clock: clockid_t) -> Int64 {
  var value = timespec()
  clock_gettime(clock, &value)
  return Int64(value.tv_sec) * 1_000_000_000 + Int64(value.tv_nsec)
}

extension timespec {
  init(nanoseconds: Int64) {
    self.init(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
  }
}

/// The kernel's boot ID; nil if unavailable.
package func currentBootID() -> String? {
  guard let bytes = try? FileDescriptor.contents(of: "/proc/sys/kernel/random/boot_id", limit: 256) else {
    return nil
  }
  let text = String(decoding: bytes.filter { $0 > 0x20 && $0 < 0x7F }, as: UTF8.self)
  return text.isEmpty ? nil : text
}
