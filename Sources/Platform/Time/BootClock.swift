internal import Glibc
internal import HoldfastCPlatform
package import HoldfastMediaModel

/// Time since the machine was booted, with the time that it slept: CLOCK_BOOTTIME.
package func timeSinceBoot() -> MediaTime {
  var value = timespec()
  clock_gettime(CLOCK_BOOTTIME, &value)
  return MediaTime(nanoseconds: Int64(value.tv_sec) * 1_000_000_000 + Int64(value.tv_nsec))
}

/// What the kernel calls this boot; nil where it doesn't say.
package func currentBootID() -> String? {
  guard let bytes = try? FileDescriptor.contents(of: "/proc/sys/kernel/random/boot_id", limit: 256) else {
    return nil
  }
  let text = String(decoding: bytes.filter { $0 > 0x20 && $0 < 0x7F }, as: UTF8.self)
  return text.isEmpty ? nil : text
}
