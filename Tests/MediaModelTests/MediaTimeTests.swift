import HoldfastMediaModel
import Testing

@Suite struct MediaTimeTests {
  @Test(arguments: [90_000, 48_000, 44_100, 30_000, 1_000_000, 1000])
  func `ticks survive conversion to nanoseconds and back`(timescale: Int) {
    for tick in [0, 1, 2, 3003, 123_456_789, -1, -3003, 12 * 3600 * Int64(timescale)] {
      #expect(MediaTime(ticks: tick, timescale: timescale).ticks(timescale: timescale) == tick)
    }
  }

  @Test func `a hundred years of media time do not overflow`() {
    let century = MediaTime.seconds(100 * 366 * 86400)
    #expect(century.ticks(timescale: 90_000) == 100 * 366 * 86400 * 90_000)
  }

  @Test(arguments: [Int64.min, .min + 1, .max])
  func `ticks out of range become the longest time`(ticks: Int64) {
    #expect(MediaTime(ticks: ticks, timescale: 1000).nanoseconds == (ticks < 0 ? -Int64.max : .max))
  }

  @Test(arguments: [
    (0, "0:00:00.000"), (83_450, "0:01:23.450"), (36_000_000, "10:00:00.000"), (-1500, "-0:00:01.500"),
  ])
  func `a time is described in hours, minutes, seconds and milliseconds`(milliseconds: Int64, text: String) {
    #expect(MediaTime.milliseconds(milliseconds).description == text)
  }
}

@Suite struct FrameRateTests {
  @Test(arguments: [
    ("30", 30, 1), ("29.97", 30000, 1001), ("59.94", 60000, 1001), ("23.976", 24000, 1001), ("12.5", 25, 2),
    ("30000/1001", 30000, 1001), ("60/2", 30, 1), ("0.5", 1, 2),
  ])
  func `a frame rate is read from a decimal or a fraction`(text: String, numerator: Int, denominator: Int) {
    let rate = FrameRate(text)
    #expect(rate != nil && rate == FrameRate(numerator: numerator, denominator: denominator))
  }

  @Test(arguments: ["", "0", "-1", "30/0", "a", "1/2/3", "nan", "inf", "1e9"])
  func `an invalid frame rate is refused`(text: String) {
    #expect(FrameRate(text) == nil)
  }

  @Test func `frames at 29.97 per second have exact times after a day`() throws {
    let rate = try #require(FrameRate("29.97"))
    #expect(rate.time(ofFrame: 30000 * 86).ticks(timescale: 90_000) == 1001 * 86 * 90_000)
  }
}
