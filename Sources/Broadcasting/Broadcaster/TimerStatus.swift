package import HoldfastLifecycle
package import HoldfastMediaModel
internal import HoldfastPlatform

/// How a session's time stands, for people: by the wall clock.
package struct TimerStatus: Hashable, Sendable {
  package var state: SessionTimer.State
  package var startedAt: WallTime?
  /// Nil where that is not known: there is no limit, or the time stands still.
  package var endsAt: WallTime?
  /// What is left; nil where there is no limit.
  package var left: MediaTime?
  /// How long it may last, with what it was extended by.
  package var length: MediaTime?
  /// And with all that it may still be extended by.
  package var most: MediaTime?

  /// `now` and `wall` are the same instant.
  init(_ timer: SessionTimer, at now: MediaTime, wall: WallTime) {
    func shown(_ instant: MediaTime) -> WallTime {
      WallTime(nanoseconds: wall.nanoseconds + (instant - now).nanoseconds)
    }
    state = timer.state(at: now)
    startedAt = timer.startedAt.map(shown)
    endsAt = timer.end(at: now).map(shown)
    left = timer.left(at: now)
    length = timer.length
    most = timer.length == nil ? nil : timer.settings.maxTotal
  }

  static func now(_ timer: SessionTimer) -> TimerStatus {
    TimerStatus(timer, at: timeSinceBoot(), wall: WallTime.now)
  }

  /// A part of a second counts as a whole one.
  package var secondsLeft: Int64? { left?.wholeSeconds }
}

/// What an extension came to.
package struct ExtensionAnswer: Hashable, Sendable {
  package let verdict: SessionTimer.Verdict
  package let status: TimerStatus
}
