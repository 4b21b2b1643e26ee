import HoldfastMediaModel
import HoldfastMediaSources
import Testing

@Suite struct CadenceTests {
  private let start = MonotonicTime(nanoseconds: 5_000_000_000)

  @Test func `pictures are due at the rate, and those that come too late are counted`() throws {
    var cadence = Cadence(try #require(FrameRate(numerator: 50, denominator: 1)), from: start)
    var skipped: [Int] = []
    for late in [0, 19, 1, 45, 0, 20] as [Int64] {
      skipped.append(cadence.advance(past: cadence.next + .milliseconds(late)))
    }
    #expect((skipped, cadence.next) == ([0, 0, 0, 2, 0, 1], start + .milliseconds(20 * (6 + 3))))
  }

  @Test func `a clock read before the instant skips nothing`() {
    var cadence = Cadence(.thirty, from: start)
    #expect(cadence.advance(past: start - .seconds(1)) == 0)
    #expect(cadence.next == start + FrameRate.thirty.frameDuration)
  }
}
