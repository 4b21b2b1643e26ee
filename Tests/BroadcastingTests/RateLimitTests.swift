import HoldfastMediaModel
import Testing

@testable import HoldfastBroadcasting

@Suite struct RateLimitTests {
  private func passed(source: Int, wanted: Int, pictures: Int, jitter: [Int64] = [0]) throws -> Int {
    let sourceRate = try #require(FrameRate(numerator: source, denominator: 1))
    let wantedRate = try #require(FrameRate(numerator: wanted, denominator: 1))
    var limit = RateLimit(source: sourceRate, wanted: wantedRate)
    return (0..<pictures).filter { number in
      let time = MonotonicTime(nanoseconds: 0) + sourceRate.time(ofFrame: Int64(number))
      return limit.allows(time + .milliseconds(jitter[number % jitter.count]))
    }.count
  }

  @Test(arguments: [
    (60, 30, 300), (50, 25, 300), (60, 25, 250), (120, 30, 150), (30, 30, 600), (25, 30, 600),
  ])
  func `lets the wanted rate through and no picture of a slower source is lost`(
    source: Int, wanted: Int, expected: Int
  ) throws {
    #expect(abs(try passed(source: source, wanted: wanted, pictures: 600) - expected) <= 1)
  }

  @Test func `jitter of the camera changes nothing`() throws {
    #expect(abs(try passed(source: 60, wanted: 30, pictures: 600, jitter: [0, 3, -3, 2]) - 300) <= 1)
  }
}
