import Lifecycle
import MediaModel
import Testing

@Suite struct RetryPolicyTests {
  private let policy = RetryPolicy()

  @Test func `the first attempt after a failure comes at once`() {
    var randomness = SystemRandomNumberGenerator()
    #expect(policy.delay(afterFailure: 1, using: &randomness) == .zero)
  }

  @Test(arguments: [(2, 250), (3, 500), (4, 1000), (5, 2000), (6, 4000), (7, 5000), (1000, 5000)])
  func `the bound doubles to the cap and is reached`(attempt: Int, milliseconds: Int64) {
    var highest = Highest()
    #expect(policy.delay(afterFailure: attempt, using: &highest) <= .milliseconds(milliseconds))
    #expect(policy.delay(afterFailure: attempt, using: &highest) > .milliseconds(milliseconds - 1))
  }

  @Test func `every wait between nothing and the bound comes up`() {
    var randomness = SystemRandomNumberGenerator()
    let delays = (0..<2000).map { _ in policy.delay(afterFailure: 20, using: &randomness).seconds }
    for second in 0..<5 { #expect(delays.contains { (Double(second)..<Double(second + 1)).contains($0) }) }
  }
}

/// Draws the highest number each time.
private struct Highest: RandomNumberGenerator {
  mutating func next() -> UInt64 { .max }
}
