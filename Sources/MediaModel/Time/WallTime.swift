/// An instant of the wall clock, in nanoseconds since 1970; for display only, as the clock may be set.
package struct WallTime: Hashable, Comparable, Sendable {
  package var nanoseconds: Int64

  package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  package static func < (left: WallTime, right: WallTime) -> Bool { left.nanoseconds < right.nanoseconds }

  package static func + (time: WallTime, length: MediaTime) -> WallTime {
    WallTime(nanoseconds: time.nanoseconds + length.nanoseconds)
  }

  package static func - (time: WallTime, length: MediaTime) -> WallTime {
    WallTime(nanoseconds: time.nanoseconds - length.nanoseconds)
  }

  package static func - (left: WallTime, right: WallTime) -> MediaTime {
    MediaTime(nanoseconds: left.nanoseconds - right.nanoseconds)
  }

  /// RFC 3339, truncated to milliseconds: `2026-11-21T04:22:10.123Z`.
  package var rfc3339: String {
    let millisecond = floorDivided(nanoseconds, by: 1_000_000_000).remainder / 1_000_000
    let (year, month, day) = date
    let second = secondOfDay
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T"
      + "\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))."
      + padded(millisecond, 3) + "Z"
  }

  /// For file names: `20261121T042210Z`.
  package var compact: String {
    let (year, month, day) = date
    let second = secondOfDay
    return padded(year, 4) + padded(month, 2) + padded(day, 2) + "T"
      + padded(second / 3600, 2) + padded(second / 60 % 60, 2) + padded(second % 60, 2) + "Z"
  }

  private var seconds: Int64 { floorDivided(nanoseconds, by: 1_000_000_000).quotient }
  private var secondOfDay: Int64 { floorDivided(seconds, by: 86400).remainder }

  /// The Gregorian date (Howard Hinnant's algorithm, with years from March).
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

/// Decimal digits, zero-padded to `width`.
package func padded(_ value: Int64, _ width: Int) -> String {
  let digits = String(value)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

extension WallTime {
  /// RFC 3339 without loss: `2026-11-21T04:22:10.123456789Z`.
  package var rfc3339Nanoseconds: String {
    rfc3339.dropLast() + padded(floorDivided(nanoseconds, by: 1_000_000).remainder, 6) + "Z"
  }

  /// Parses UTC from 1970 on, with up to nine fractional digits.
  package init?(rfc3339 text: String) {
    var reader = DigitReader(text)
    guard
      let year = reader.number(digits: 4, then: "-"), let month = reader.number(digits: 2, then: "-"),
      let day = reader.number(digits: 2, then: "T"), let hour = reader.number(digits: 2, then: ":"),
      let minute = reader.number(digits: 2, then: ":"), let second = reader.number(digits: 2),
      let fraction = reader.fraction(), reader.endsWith("Z"),
      (1970...2262).contains(year), (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60,
      second < 60
    else { return nil }
    let seconds = Self.days(year: year, month: month, day: day) * 86_400 + hour * 3600 + minute * 60 + second
    let (whole, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isTooLargeBehind) = whole.addingReportingOverflow(fraction)
    guard !isTooLarge, !isTooLargeBehind else { return nil }
    self.init(nanoseconds: sum)
    // An impossible day has become another one.
    guard rfc3339.prefix(10) == text.prefix(10) else { return nil }
  }

  /// Days since 1970, the inverse of `date`.
  private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let marchYear = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = marchYear.quotientAndRemainder(dividingBy: 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

/// Reads fixed-width numbers from the start of a text.
private struct DigitReader {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = Substring(text).utf8 }

  mutating func number(digits count: Int, then separator: Unicode.Scalar? = nil) -> Int64? {
    let digits = rest.prefix(count)
    guard digits.count == count, let value = value(of: digits) else { return nil }
    rest = rest.dropFirst(count)
    guard let separator else { return value }
    guard rest.first == UInt8(ascii: separator) else { return nil }
    rest = rest.dropFirst()
    return value
  }

  /// The fraction in nanoseconds; 0 if there is none.
  mutating func fraction() -> Int64? {
    guard rest.first == UInt8(ascii: ".") else { return 0 }
    rest = rest.dropFirst()
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    guard (1...9).contains(digits.count), let value = value(of: digits) else { return nil }
    rest = rest.dropFirst(digits.count)
    return (digits.count..<9).reduce(value) { value, _ in value * 10 }
  }

  func endsWith(_ text: String) -> Bool { rest.elementsEqual(text.utf8) }

  private func value(of digits: Substring.UTF8View) -> Int64? {
    var value: Int64 = 0
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return nil }
      value = value * 10 + Int64(digit & 15)
    }
    return value
  }
}
