import HoldfastMediaModel
import TestRandomness
import Testing

@testable import HoldfastLifecycle

@Suite struct RetryPolicyTests {
  private let policy = RetryPolicy()

  @Test func `the first retry after a loss is immediate`() {
    var randomness = SplitMix64(seed: 1)
    #expect(policy.delay(afterFailures: 1, outage: .seconds(60), using: &randomness) == .zero)
  }

  @Test(arguments: [(0, 200), (3900, 200), (6000, 300), (10_000, 500), (100_000, 5000), (86_400_000, 5000)])
  func `a retry waits at most a twentieth of the outage, within bounds`(outage: Int64, longest: Int64) {
    var highest = Highest()
    let delay = policy.delay(afterFailures: 2, outage: .milliseconds(outage), using: &highest)
    #expect(delay <= .milliseconds(longest) && delay > .milliseconds(longest - 1))
  }

  @Test func `retry delays are spread over the upper half of their range`() {
    var randomness = SplitMix64(seed: 1)
    let delays = (0..<2000).map { _ in
      policy.delay(afterFailures: 20, outage: .seconds(3600), using: &randomness).seconds
    }
    #expect(delays.allSatisfy { (2.5...5).contains($0) })
    for step in 0..<10 {
      let low = 2.5 + Double(step) * 0.25
      #expect(delays.contains { (low..<low + 0.25).contains($0) })
    }
  }
}

/// Draws the highest number each time.
private struct Highest: RandomNumberGenerator {
  // The thread sanitizer cannot cope with a generator without stored properties.
  private var drawn = 0

  mutating func next() -> UInt64 {
    drawn += 1
    return .max
  }
}
