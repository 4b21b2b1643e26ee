package import HoldfastMediaModel

/// Finds the pictures that are missing between those of a network source, which has no sequence numbers of its own.
package struct SourceHoles: Hashable, Sendable {
  private var last: MonotonicTime?
  private var intervals: [MediaTime] = []

  private static let maxIntervals = 15
  private static let minIntervals = 5

  package init() {}

  /// The number of pictures missing right before one of `time`.
  package mutating func before(_ time: MonotonicTime) -> Int {
    defer { last = time }
    guard let interval = last.map({ time - $0 }), interval > .zero else { return 0 }
    defer {
      intervals.append(interval)
      if intervals.count > Self.maxIntervals { intervals.removeFirst() }
    }
    guard intervals.count >= Self.minIntervals, let usual = Self.median(intervals), usual > .zero else {
      return 0
    }
    let deviations = intervals.map { MediaTime(nanoseconds: abs($0.nanoseconds - usual.nanoseconds)) }
    let deviation = Self.median(deviations)?.nanoseconds ?? 0
    let slack = max(
      HoleRule.slack(of: .video, usual: usual), MediaTime(nanoseconds: deviation * HoleRule.jitterFactor))
    guard interval - usual > slack else { return 0 }
    return max(0, Int((interval.seconds / usual.seconds).rounded()) - 1)
  }

  private static func median(_ values: [MediaTime]) -> MediaTime? {
    values.isEmpty ? nil : values.sorted()[values.count / 2]
  }
}
