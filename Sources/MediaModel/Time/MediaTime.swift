/// A place or a length on a broadcast's own time line, in nanoseconds.
///
/// The time line starts at 0 when the broadcast goes live, stands still while it is interrupted and never
/// goes back. Nanoseconds are fine enough that every common timescale survives the way there and back.
package struct MediaTime: Hashable, Sendable {
  package var nanoseconds: Int64

  package init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  package static let zero = MediaTime(nanoseconds: 0)

  /// The time of `ticks` of a clock that makes `timescale` of them a second, rounded to the nearest nanosecond.
  package init(ticks: Int64, timescale: Int) {
    nanoseconds = Self.scale(ticks, by: 1_000_000_000, over: Int64(timescale))
  }

  package init(seconds: Double) {
    nanoseconds = Int64((seconds * 1e9).rounded())
  }

  package static func milliseconds(_ count: Int64) -> MediaTime {
    MediaTime(nanoseconds: count * 1_000_000)
  }

  package static func seconds(_ count: Int64) -> MediaTime {
    MediaTime(nanoseconds: count * 1_000_000_000)
  }

  /// The nearest tick of a clock that makes `timescale` of them a second.
  package func ticks(timescale: Int) -> Int64 {
    Self.scale(nanoseconds, by: Int64(timescale), over: 1_000_000_000)
  }

  /// Later also by a clock of `timescale` ticks a second, which may not tell close times apart.
  package func isLater(than other: MediaTime, timescale: Int) -> Bool {
    ticks(timescale: timescale) > other.ticks(timescale: timescale)
  }

  package var seconds: Double { Double(nanoseconds) / 1e9 }
  /// A part of a second counts as a whole one.
  package var wholeSeconds: Int64 { (nanoseconds + 999_999_999) / 1_000_000_000 }
  package var milliseconds: Double { Double(nanoseconds) / 1e6 }

  /// `value * factor / divisor`, rounded half away from zero, without overflow on the way. What doesn't fit is as much
  /// as does: a file may claim any time.
  private static func scale(_ value: Int64, by factor: Int64, over divisor: Int64) -> Int64 {
    let product = value.magnitude.multipliedFullWidth(by: factor.magnitude)
    let (low, carry) = product.low.addingReportingOverflow(divisor.magnitude / 2)
    let high = product.high + (carry ? 1 : 0)
    guard high < divisor.magnitude else { return value < 0 ? -.max : .max }
    let result = Int64(clamping: divisor.magnitude.dividingFullWidth((high, low)).quotient)
    return value < 0 ? -result : result
  }
}

extension MediaTime: Comparable, AdditiveArithmetic {
  package static func < (left: MediaTime, right: MediaTime) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  package static func + (left: MediaTime, right: MediaTime) -> MediaTime {
    MediaTime(nanoseconds: left.nanoseconds + right.nanoseconds)
  }

  package static func - (left: MediaTime, right: MediaTime) -> MediaTime {
    MediaTime(nanoseconds: left.nanoseconds - right.nanoseconds)
  }

  /// What is damaged may claim any length.
  package mutating func addClamped(_ length: MediaTime) {
    let (sum, isTooLarge) = nanoseconds.addingReportingOverflow(length.nanoseconds)
    nanoseconds = isTooLarge ? .max : sum
  }
}

extension MediaTime: CustomStringConvertible {
  /// `1:02:03.450`, as a person writes it.
  package var description: String {
    let total = nanoseconds.magnitude / 1_000_000
    func padded(_ value: UInt64, _ width: Int) -> String {
      let digits = String(value)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let hours = total / 3_600_000
    let minutes = total / 60_000 % 60
    let rest = padded(total / 1000 % 60, 2) + "." + padded(total % 1000, 3)
    return (nanoseconds < 0 ? "-" : "") + "\(hours):" + padded(minutes, 2) + ":" + rest
  }
}
