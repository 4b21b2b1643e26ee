public import Lifecycle
public import MediaModel
internal import Platform

/// How a session's time stands, for people: by the wall clock.
public struct TimerStatus: Hashable, Sendable {
  public var state: SessionTimer.State
  /// Nil before it is live.
  public var startedAt: WallTime?
  /// Nil where that is not known: there is no limit, or the time stands still.
  public var endsAt: WallTime?
  /// What is left; nil where there is no limit.
  public var left: MediaTime?
  /// How long it may last, with what it was extended by.
  public var length: MediaTime?
  /// And with all that it may still be extended by.
  public var most: MediaTime?

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
    TimerStatus(timer, at: timeSinceBoot(), wall: WallTime(nanoseconds: wallClockNanoseconds()))
  }

  /// A part of a second counts as a whole one.
  public var secondsLeft: Int64? { left.map { ($0.nanoseconds + 999_999_999) / 1_000_000_000 } }
}
