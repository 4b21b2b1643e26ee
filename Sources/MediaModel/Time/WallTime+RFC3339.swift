extension WallTime {
  /// `2026-11-21T04:22:10.123456789Z`: what `init(rfc3339:)` reads back without loss.
  package var rfc3339Nanoseconds: String {
    let rest = String(nanoseconds.modulo(1_000_000))
    return rfc3339.dropLast() + String(repeating: "0", count: 6 - rest.count) + rest + "Z"
  }

  /// Reads UTC with up to nine digits behind the second; nil for anything else, and before 1970.
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
    // A day that its month doesn't have comes out as another one.
    guard rfc3339.prefix(10) == text.prefix(10) else { return nil }
  }

  /// Days since 1970, by the same way as the date of an instant.
  private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let marchYear = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = marchYear.quotientAndRemainder(dividingBy: 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

extension Int64 {
  fileprivate func modulo(_ divisor: Int64) -> Int64 {
    let remainder = self % divisor
    return remainder < 0 ? remainder + divisor : remainder
  }
}

/// Takes numbers with a fixed count of digits off the front of a text.
private struct DigitReader {
  private var rest: Substring.UTF8View

  init(_ text: String) {
    rest = Substring(text).utf8
  }

  mutating func number(digits count: Int, then separator: Unicode.Scalar? = nil) -> Int64? {
    let digits = rest.prefix(count)
    guard digits.count == count, let value = value(of: digits) else { return nil }
    rest = rest.dropFirst(count)
    guard let separator else { return value }
    guard rest.first == UInt8(ascii: separator) else { return nil }
    rest = rest.dropFirst()
    return value
  }

  /// The nanoseconds behind a point; 0 where there is none.
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
