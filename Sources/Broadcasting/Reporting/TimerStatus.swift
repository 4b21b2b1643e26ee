package import HoldfastLifecycle
package import HoldfastMediaModel
import HoldfastPlatform

/// The state of the session timer in wall-clock time.
package struct TimerStatus: Hashable, Sendable {
  package var state: SessionTimer.State
  package var startedAt: WallTime?
  /// Nil without a limit or while the timer is stopped.
  package var endsAt: WallTime?
  package var left: MediaTime?
  /// The limit, including extensions.
  package var length: MediaTime?
  /// The limit of all extensions.
  package var most: MediaTime?

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

  /// Rounded up.
  package var secondsLeft: Int64? { left?.wholeSeconds }
}

package struct ExtensionAnswer: Hashable, Sendable {
  package let result: SessionTimer.ExtensionResult
  package let status: TimerStatus
}
