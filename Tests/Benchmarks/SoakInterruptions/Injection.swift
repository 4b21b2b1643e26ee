import HoldfastMediaModel
import HoldfastPlatform

extension Instant {
  /// Converts a wall clock time to the monotonic clock.
  func monotonic(of time: WallTime) -> MonotonicTime {
    monotonic + MediaTime(nanoseconds: time.nanoseconds - wall.nanoseconds)
  }
}

/// A command, from its sending to its completion.
struct TimedRequest {
  let sent: Instant
  let completed: Instant

  /// The time from the request to `time`; negative if `time` is earlier.
  func distance(to time: WallTime) -> MediaTime {
    if time < sent.wall { return MediaTime(nanoseconds: time.nanoseconds - sent.wall.nanoseconds) }
    if time > completed.wall { return MediaTime(nanoseconds: time.nanoseconds - completed.wall.nanoseconds) }
    return .zero
  }
}

struct Injection {
  let way: InterruptionsPlan.Way
  let interrupt: TimedRequest
  let resume: TimedRequest
}
