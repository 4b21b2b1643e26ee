import Testing

@testable import HoldfastMediaModel

@Suite struct WallTimeTests {
  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
    (951_868_799_999, "2000-02-29T23:59:59.999Z"), (951_868_800_000, "2000-03-01T00:00:00.000Z"),
    (1_709_164_800_000, "2024-02-29T00:00:00.000Z"), (1_677_628_799_000, "2023-02-28T23:59:59.000Z"),
    (1_677_628_800_000, "2023-03-01T00:00:00.000Z"), (1_795_234_930_123, "2026-11-21T04:22:10.123Z"),
    (4_102_444_799_999, "2099-12-31T23:59:59.999Z"), (4_107_542_399_000, "2100-02-28T23:59:59.000Z"),
    (4_107_542_400_000, "2100-03-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
    (-86_400_000, "1969-12-31T00:00:00.000Z"),
  ])
  func `a wall time is written in RFC 3339 format`(milliseconds: Int64, text: String) {
    #expect(WallTime(nanoseconds: milliseconds * 1_000_000).rfc3339 == text)
  }

  @Test func `a wall time is truncated to milliseconds, not rounded up`() {
    #expect(WallTime(nanoseconds: 999_999_999).rfc3339 == "1970-01-01T00:00:00.999Z")
    #expect(WallTime(nanoseconds: -1).rfc3339 == "1969-12-31T23:59:59.999Z")
  }

  @Test func `every day from 1970 to 2262 has the right date`() {
    var (year, month, day) = (1970, 1, 1)
    for number in 0..<106_751 {
      let text = WallTime(nanoseconds: Int64(number) * 86_400_000_000_000).compact
      let date = (year * 10_000 + month * 100 + day)
      guard text == "\(date)T000000Z" else {
        Issue.record("day \(number) is \(text), not \(date)")
        return
      }
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      day += 1
      if day > days[month - 1] { (month, day) = (month + 1, 1) }
      if month > 12 { (year, month) = (year + 1, 1) }
    }
  }

  @Test(arguments: [0, 1, 999_999_999, 951_868_799_123_456_789, 1_795_234_930_000_000_001, .max] as [Int64])
  func `a written wall time is read back to the nanosecond`(nanoseconds: Int64) {
    let instant = WallTime(nanoseconds: nanoseconds)
    #expect(WallTime(rfc3339: instant.rfc3339Nanoseconds) == instant)
  }

  @Test func `written wall times from 1970 to 2262 are read back`() {
    for number in stride(from: 0, to: 106_751, by: 13) {
      let instant = WallTime(nanoseconds: Int64(number) * 86_400_000_000_000 + 86_399_500_000_000)
      guard WallTime(rfc3339: instant.rfc3339) == instant else {
        Issue.record("day \(number) is \(instant.rfc3339)")
        return
      }
    }
  }

  @Test(arguments: [
    "", "2026", "2026-11-21T04:22:10Z.", "2026-11-21 04:22:10Z", "2026-11-21T04:22:10",
    "2026-13-21T04:22:10Z", "2026-11-31T04:22:10Z", "2023-02-29T00:00:00Z", "2026-11-21T24:00:00Z",
    "2026-11-21T04:60:00Z", "2026-11-21T04:22:10.Z", "2026-11-21T04:22:10.1234567890Z",
    "9999-12-31T23:59:59Z", "0000-00-00T00:00:00Z", "1969-12-31T23:59:59Z", "2026-11-21T04:22:-1Z",
    "+026-11-21T04:22:10Z",
  ])
  func `text that is not an RFC 3339 time is refused`(text: String) {
    #expect(WallTime(rfc3339: text) == nil)
  }
}
