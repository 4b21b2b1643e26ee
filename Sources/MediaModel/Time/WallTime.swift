/// An instant of the wall clock, in nanoseconds since 1970. It is for showing only: it jumps when somebody sets it.
package struct WallTime: Hashable, Comparable, Sendable {
  package var nanoseconds: Int64

  package init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  package static func < (left: WallTime, right: WallTime) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  package static func - (time: WallTime, length: MediaTime) -> WallTime {
    WallTime(nanoseconds: time.nanoseconds - length.nanoseconds)
  }

  /// `2026-11-21T04:22:10.123Z` (RFC 3339), cut to milliseconds.
  package var rfc3339: String {
    let millisecond = floorDivided(nanoseconds, by: 1_000_000_000).remainder / 1_000_000
    let (year, month, day) = date
    let second = secondOfDay
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T"
      + "\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))."
      + padded(millisecond, 3) + "Z"
  }

  /// `20261121T042210Z`, for file names.
  package var compact: String {
    let (year, month, day) = date
    let second = secondOfDay
    return padded(year, 4) + padded(month, 2) + padded(day, 2) + "T"
      + padded(second / 3600, 2) + padded(second / 60 % 60, 2) + padded(second % 60, 2) + "Z"
  }

  private var seconds: Int64 { floorDivided(nanoseconds, by: 1_000_000_000).quotient }
  private var secondOfDay: Int64 { floorDivided(seconds, by: 86400).remainder }

  /// The Gregorian date, by Howard Hinnant's way: eras of 400 years, years that begin in March.
  private var date: (year: Int64, month: Int64, day: Int64) {
    let days = floorDivided(seconds, by: 86400).quotient + 719_468
    let (era, dayOfEra) = floorDivided(days, by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }
}

private func floorDivided(_ value: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
  let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
  return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
}

private func padded(_ value: Int64, _ width: Int) -> String {
  let digits = String(value)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
