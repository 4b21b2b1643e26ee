import HoldfastMediaModel
import HoldfastPlatform
import Testing

@testable import HoldfastMediaSources

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
    #expect(limits.failure(at: now, memory: { 1 << 30 }) == nil)
    #expect(limits.failure(at: now + .milliseconds(100), memory: { 80 << 20 }) == nil)
    #expect(limits.failure(at: now + .milliseconds(200), memory: { 200 << 20 }) == nil)
    #expect(limits.failure(at: now + .milliseconds(300), memory: { 210 << 20 }) == .tooLarge)
    #expect(limits.failure(at: now + .milliseconds(400), memory: { 80 << 20 }) == .tooLarge)
    limits.begin(until: nil, at: now + .seconds(1))
    #expect(limits.failure(at: now + .seconds(2), memory: { 300 << 20 }) == nil)
  }
}
