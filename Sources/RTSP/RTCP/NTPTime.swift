/// The wall clock as RTCP writes it: seconds since 1900 and 2^32ths of one.
package struct NTPTime: Hashable, Sendable {
  package let seconds: UInt32
  package let fraction: UInt32

  private static let secondsFrom1900To1970: Int64 = 2_208_988_800

  /// Nanoseconds since 1970. The seconds wrap in 2036, which receivers know.
  package init(wallClockNanoseconds: Int64) {
    let (seconds, rest) = wallClockNanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    self.seconds = UInt32(truncatingIfNeeded: seconds &+ Self.secondsFrom1900To1970)
    fraction = UInt32(truncatingIfNeeded: (rest << 32) / 1_000_000_000)
  }

  /// The 32 bits around the point, which round trips are told in.
  package var middle: UInt32 { seconds << 16 | fraction >> 16 }
}
