/// A position or duration on a broadcast's timeline, in nanoseconds.
///
/// The timeline starts at 0 when the broadcast goes live, and stops during interruptions.
package struct MediaTime: Hashable, Sendable, CustomStringConvertible {
  package var nanoseconds: Int64

  package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  package static let zero = MediaTime(nanoseconds: 0)

  /// `ticks` at `timescale` per second, rounded to the nearest nanosecond.
  package init(ticks: Int64, timescale: Int) {
    nanoseconds = Self.scale(ticks, by: 1_000_000_000, over: Int64(timescale))
  }

  package init(seconds: Double) { nanoseconds = Int64((seconds * 1e9).rounded()) }

  package static func milliseconds(_ count: Int64) -> MediaTime { MediaTime(nanoseconds: count * 1_000_000) }

  package static func seconds(_ count: Int64) -> MediaTime { MediaTime(nanoseconds: count * 1_000_000_000) }

  /// The nearest tick at `timescale` per second.
  package func ticks(timescale: Int) -> Int64 {
    Self.scale(nanoseconds, by: Int64(timescale), over: 1_000_000_000)
  }

  /// Whether it is later in ticks of `timescale`.
  package func isLater(than other: MediaTime, timescale: Int) -> Bool {
    ticks(timescale: timescale) > other.ticks(timescale: timescale)
  }

  package var seconds: Double { Double(nanoseconds) / 1e9 }
  package var wholeSeconds: Int64 { (nanoseconds + 999_999_999) / 1_000_000_000 }
  package var milliseconds: Double { Double(nanoseconds) / 1e6 }

  /// `value * factor / divisor`, rounded half away from zero and clamped, as files may contain any time.
  private static func scale(_ value: Int64, by factor: Int64, over divisor: Int64) -> Int64 {
    let product = value.magnitude.multipliedFullWidth(by: factor.magnitude)
    let (low, carry) = product.low.addingReportingOverflow(divisor.magnitude / 2)
    let high = product.high + (carry ? 1 : 0)
    guard high < divisor.magnitude else { return value < 0 ? -.max : .max }
    let result = Int64(clamping: divisor.magnitude.dividingFullWidth((high, low)).quotient)
    return value < 0 ? -result : result
  }

  /// Such as `1:02:03.450`.
  package var description: String {
    let total = Int64(nanoseconds.magnitude / 1_000_000)
    let hours = total / 3_600_000
    let minutes = total / 60_000 % 60
    let rest = padded(total / 1000 % 60, 2) + "." + padded(total % 1000, 3)
    return (nanoseconds < 0 ? "-" : "") + "\(hours):" + padded(minutes, 2) + ":" + rest
  }
}

extension MediaTime: Comparable, AdditiveArithmetic {
  package static func < (left: MediaTime, right: MediaTime) -> Bool { left.nanoseconds < right.nanoseconds }

  package static func + (left: MediaTime, right: MediaTime) -> MediaTime {
    MediaTime(nanoseconds: left.nanoseconds + right.nanoseconds)
  }

  package static func - (left: MediaTime, right: MediaTime) -> MediaTime {
    MediaTime(nanoseconds: left.nanoseconds - right.nanoseconds)
  }

  /// Adds without overflow, as a damaged file may contain any duration.
  package mutating func addClamped(_ length: MediaTime) {
    let (sum, isTooLarge) = nanoseconds.addingReportingOverflow(length.nanoseconds)
    nanoseconds = isTooLarge ? .max : sum
  }
}
