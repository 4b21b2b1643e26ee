import HoldfastMediaModel
import Testing

@testable import HoldfastPublishing

@Suite struct AnswerTimeTests {
  /// A server that took `milliseconds` for an answer that came at one second.
  private static func server(taking milliseconds: [Int64]) -> AnswerTime {
    var time = AnswerTime(at: .at(0))
    for one in milliseconds { time.answered(after: .milliseconds(one), at: .at(1000)) }
    return time
  }

  @Test(
    arguments: [([], 150), ([20, 3], 150), ([100], 150), ([400, 20], 600), ([20, 3000], 2000)]
      as [([Int64], Int64)])
  func `the patience is half as long again as the longest answer, from 150 ms to 2 s`(
    answers: [Int64], expected: Int64
  ) {
    #expect(Self.server(taking: answers).patience(at: .at(1000)) == .milliseconds(expected))
  }

  @Test func `an answer counts for ten seconds at least, and for twenty at most`() {
    let slow = Self.server(taking: [400])
    #expect(slow.patience(at: .at(11_000)) == .milliseconds(600))
    #expect(slow.patience(at: .at(21_000)) == .milliseconds(150))
  }

  @Test func `quick answers do not shorten the patience before the slow one is forgotten`() {
    var time = Self.server(taking: [400])
    for second in 2...11 { time.answered(after: .milliseconds(5), at: .at(Int64(second) * 1000)) }
    #expect(time.patience(at: .at(11_000)) == .milliseconds(600))
    for second in 12...30 { time.answered(after: .milliseconds(5), at: .at(Int64(second) * 1000)) }
    #expect(time.patience(at: .at(30_000)) == .milliseconds(150))
  }

  @Test(arguments: [(1000, 150), (1400, 600), (9000, 2000)] as [(Int64, Int64)])
  func `an answer that is already late lengthens the patience`(now: Int64, expected: Int64) {
    let quick = Self.server(taking: [5])
    #expect(quick.patience(at: .at(now), askedAt: .at(1000)) == .milliseconds(expected))
  }
}
