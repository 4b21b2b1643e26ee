import HoldfastMediaModel
import HoldfastPlatform
import Testing

@testable import HoldfastCapture

@Suite struct CallLimitsTests {
  private let now = MonotonicTime(nanoseconds: 1_000_000_000_000)

  @Test func `a call is given up at its deadline, and the next one has its own`() {
    var limits = CallLimits()
    limits.begin(until: now + .seconds(1), at: now)
    #expect(limits.failure(at: now) == nil)
    #expect(limits.failure(at: now + .seconds(1)) == .unreachable("no answer in time"))
    limits.begin(until: nil, at: now)
    #expect(limits.failure(at: now + .seconds(1000)) == nil)
  }

  @Test func `a call during which the program grows too much is given up`() {
    var limits = CallLimits()
    limits.begin(until: nil, at: now)
    #expect(limits.failure(at: now + .milliseconds(100)) == nil)
    let ballast = [UInt8](repeating: 1, count: 400 << 20)
    #expect(limits.failure(at: now + .seconds(1)) == .tooLarge)
    #expect(ballast.count > 0)
    limits.begin(until: nil, at: now)
    #expect(limits.failure(at: now + .seconds(2)) == nil)
  }
}
