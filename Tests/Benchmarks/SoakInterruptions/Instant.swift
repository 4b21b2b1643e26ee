import HoldfastMediaModel
import HoldfastPlatform

extension Instant {
  /// Converts a wall clock time to the monotonic clock.
  func monotonic(of time: WallTime) -> MonotonicTime {
    monotonic + MediaTime(nanoseconds: time.nanoseconds - wall.nanoseconds)
  }
}

/// A request, from its sending to its completion.
struct Request {
  let asked: Instant
  let told: Instant

  /// The time from the request to `time`; negative if `time` is earlier.
  func distance(to time: WallTime) -> MediaTime {
    if time < asked.wall { return MediaTime(nanoseconds: time.nanoseconds - asked.wall.nanoseconds) }
    if time > told.wall { return MediaTime(nanoseconds: time.nanoseconds - told.wall.nanoseconds) }
    return .zero
  }
}

struct Injection {
  let way: SoakPlan.Way
  let interrupt: Request
  let resume: Request
}
