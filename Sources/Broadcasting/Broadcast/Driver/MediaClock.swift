import HoldfastMediaModel

/// When each instant of media was captured: media time runs from each start until the next one.
///
/// Wall times are reckoned with the wall clock's present offset, so a clock that was set moves all of them alike.
struct MediaClock {
  private struct Period {
    let media: MediaTime
    let sinceBoot: MediaTime
  }

  private var periods: [Period] = []

  private static let maxPeriods = 1000

  mutating func begin(_ start: MediaStart, at now: Instant) {
    let sinceBoot = now.sinceBoot - (now.monotonic - start.at)
    // Each lane reports the same start.
    guard periods.last.map({ $0.sinceBoot < sinceBoot && $0.media <= start.mediaTime }) ?? true else {
      return
    }
    periods.append(Period(media: start.mediaTime, sinceBoot: sinceBoot))
    if periods.count > Self.maxPeriods { periods.removeFirst() }
  }

  /// Nil before media time has begun. Where media time stopped and resumed, an instant belongs to the later period,
  /// unless it `isEnd` of something.
  func wall(of media: MediaTime, isEnd: Bool = false, at now: Instant) -> WallTime? {
    guard let period = periods.last(where: { isEnd ? $0.media < media : $0.media <= media }) ?? periods.first
    else { return nil }
    return now.wall - (now.sinceBoot - (period.sinceBoot + (media - period.media)))
  }
}
