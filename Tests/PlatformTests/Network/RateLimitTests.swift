import HoldfastMediaModel
import HoldfastPlatform
import Testing

@Suite struct RateLimitTests {
  private let start = MonotonicTime(nanoseconds: 1_000_000_000)

  @Test func `the keys that were used least recently are forgotten, however often the others were used`() {
    var limit = RateLimit<Int>(burst: 1, refill: .seconds(3600))
    for key in 0..<4096 { limit.record(key, at: start) }
    for _ in 0..<10 {
      for key in 1..<4096 { limit.record(key, at: start) }
    }
    limit.record(5000, at: start)
    #expect(limit.retryAfter(0, at: start) == nil)
    #expect((1..<4096).allSatisfy { limit.retryAfter($0, at: start) != nil })
    limit.record(5001, at: start)
    #expect(limit.retryAfter(1, at: start) == nil && limit.retryAfter(2, at: start) != nil)
    #expect(limit.remembered == 4096)
  }
}
