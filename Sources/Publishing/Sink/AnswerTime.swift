package import HoldfastMediaModel

/// How long a server may be silent at an end before what it has not confirmed counts as lost: a value, fed with how long
/// its answers took.
///
/// | what is known of the server | its silence counts as a loss after |
/// |---|---|
/// | it has answered quickly, or never | 150 ms |
/// | an answer of the last ten seconds took longer | as long as the longest took, and half of that: the next may be later |
/// | it already owes an answer | as long again, and half of that |
/// | more than 2 s of either | 2 s, more than an end may take |
package struct AnswerTime: Hashable, Sendable {
  /// Of the current period, and of the one before.
  private var longest = MediaTime.zero
  private var longestBefore = MediaTime.zero
  private var periodBegan: MonotonicTime

  package static let minPatience = MediaTime.milliseconds(150)
  package static let maxPatience = MediaTime.seconds(2)
  private static let period = MediaTime.seconds(10)

  package init(at now: MonotonicTime) { periodBegan = now }

  /// `time` has passed from the request to its answer.
  package mutating func answered(after time: MediaTime, at now: MonotonicTime) {
    advance(to: now)
    longest = max(longest, time)
  }

  /// `askedAt` is the time of the oldest request without an answer.
  package func patience(at now: MonotonicTime, askedAt: MonotonicTime? = nil) -> MediaTime {
    var current = self
    current.advance(to: now)
    let owed = askedAt.map { now - $0 } ?? .zero
    let expected = max(current.longest, current.longestBefore, owed)
    let patience = expected + MediaTime(nanoseconds: expected.nanoseconds / 2)
    return min(max(patience, Self.minPatience), Self.maxPatience)
  }

  private mutating func advance(to now: MonotonicTime) {
    let passed = now - periodBegan
    guard passed >= Self.period else { return }
    longestBefore = passed < Self.period + Self.period ? longest : .zero
    longest = .zero
    periodBegan = now
  }
}
