package import HoldfastMediaModel

/// Combines what the recorder reports of its disk with slowness, which the backlog shows.
package struct DiskWatch: Hashable, Sendable {
  private let limits: DiskLimits
  /// As the recorder sees it.
  private var state = DiskState.writing
  private var reported = DiskState.writing
  /// Why the disk last refused writes.
  private(set) package var failure = Gap.Cause.disk
  /// When the backlog was last too large; nil if the disk is not slow.
  private var lastSlow: MonotonicTime?
  /// When the disk began to catch up after an outage.
  private var catchUpStart: MonotonicTime?

  /// A disk that is fast enough catches up sooner.
  private static let maxCatchUp = MediaTime.seconds(20)

  package init(_ limits: DiskLimits) { self.limits = limits }

  /// Writing is suspended, or the backlog of an outage remains.
  var isBehind: Bool { state.isSuspended || catchUpStart != nil }

  /// Returns the new state if it changed, as do the methods below.
  package mutating func update(_ state: DiskState, at now: MonotonicTime) -> DiskState? {
    if self.state.isSuspended, !state.isSuspended { catchUpStart = now }
    if state.isSuspended { (lastSlow, failure) = (nil, state.gapCause) }
    self.state = state
    return changedState()
  }

  mutating func written(at now: MonotonicTime) -> DiskState? { lastSlow.flatMap { endSlowness($0, now) } }

  /// Checks the backlog, which is ignored while the disk catches up after an outage.
  mutating func check(queued: MediaTime, at now: MonotonicTime) -> DiskState? {
    if let since = catchUpStart {
      if queued >= .milliseconds(500), now - since <= Self.maxCatchUp { return nil }
      catchUpStart = nil
    }
    guard !state.isSuspended else { return nil }
    guard let last = lastSlow else {
      guard queued > limits.slowThreshold else { return nil }
      lastSlow = now
      return changedState()
    }
    guard queued.nanoseconds > limits.slowThreshold.nanoseconds / 2 else { return endSlowness(last, now) }
    lastSlow = now
    return nil
  }

  private mutating func endSlowness(_ last: MonotonicTime, _ now: MonotonicTime) -> DiskState? {
    guard now - last >= limits.quickPeriod else { return nil }
    lastSlow = nil
    return changedState()
  }

  private mutating func changedState() -> DiskState? {
    let shown = lastSlow == nil ? state : .slow
    guard shown.name != reported.name else { return nil }
    reported = shown
    return shown
  }
}
