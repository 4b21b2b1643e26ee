package import HoldfastMediaModel

/// What is reported of a recording's disk: how the recording has found it, or that it is slow, as what waits for it shows.
package struct DiskWatch: Hashable, Sendable {
  private let limits: DiskLimits
  /// As the recording has found it last.
  private var found = DiskState.writing
  private var reported = DiskState.writing
  /// When it was last too slow; nil while it is not.
  private var lastSlow: MonotonicTime?
  /// When it began to take again what had waited for it.
  private var catchesUpSince: MonotonicTime?

  /// Longer than it takes a disk that is quick enough.
  private static let longestCatchUp = MediaTime.seconds(20)

  package init(_ limits: DiskLimits) {
    self.limits = limits
  }

  /// Nothing is written, or what wasn't still waits.
  var isBehind: Bool { found.isHolding || catchesUpSince != nil }

  /// Each of these returns what is news.
  package mutating func find(_ state: DiskState, at now: MonotonicTime) -> DiskState? {
    if found.isHolding, !state.isHolding { catchesUpSince = now }
    if state.isHolding { lastSlow = nil }
    found = state
    return news()
  }

  /// A packet has been written.
  mutating func written(at now: MonotonicTime) -> DiskState? {
    lastSlow.flatMap { endSlowness($0, now) }
  }

  /// So much media waits: the disk is as far behind, unless it has only just begun to catch up.
  mutating func check(queued: MediaTime, at now: MonotonicTime) -> DiskState? {
    if let since = catchesUpSince {
      if queued >= .milliseconds(500), now - since <= Self.longestCatchUp { return nil }
      catchesUpSince = nil
    }
    guard !found.isHolding else { return nil }
    guard let last = lastSlow else {
      guard queued > limits.slowThreshold else { return nil }
      lastSlow = now
      return news()
    }
    guard queued.nanoseconds > limits.slowThreshold.nanoseconds / 2 else { return endSlowness(last, now) }
    lastSlow = now
    return nil
  }

  private mutating func endSlowness(_ last: MonotonicTime, _ now: MonotonicTime) -> DiskState? {
    guard now - last >= limits.quickPeriod else { return nil }
    lastSlow = nil
    return news()
  }

  private mutating func news() -> DiskState? {
    let state = lastSlow == nil ? found : .slow
    guard state.name != reported.name else { return nil }
    reported = state
    return state
  }
}
