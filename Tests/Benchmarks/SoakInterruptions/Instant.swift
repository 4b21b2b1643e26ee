import HoldfastMediaModel
import HoldfastPlatform

extension Instant {
  /// The monotonic clock's time of a moment that is given on the wall clock.
  func monotonic(of time: WallTime) -> MonotonicTime {
    monotonic + MediaTime(nanoseconds: time.nanoseconds - wall.nanoseconds)
  }
}

/// Something that was asked for, and when it had been told: a command takes a moment to come there.
struct Request {
  let asked: Instant
  let told: Instant

  /// How far `time` is from it; negative where it is earlier.
  func distance(to time: WallTime) -> MediaTime {
    if time < asked.wall { return MediaTime(nanoseconds: time.nanoseconds - asked.wall.nanoseconds) }
    if time > told.wall { return MediaTime(nanoseconds: time.nanoseconds - told.wall.nanoseconds) }
    return .zero
  }
}

/// An interruption as it was done to the broadcast.
struct Injection {
  let way: SoakPlan.Way
  let interrupt: Request
  let resume: Request
}
