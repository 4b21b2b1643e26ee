import HoldfastMediaModel

/// Lets pictures through at a wanted rate where the source gives more.
struct RateLimit: Sendable {
  private let interval: MediaTime?
  private var next: MonotonicTime?

  /// A source that is at most 5 % faster is left as it is.
  init(source: FrameRate, wanted: FrameRate) {
    interval = Self.applies(source: source, wanted: wanted) ? wanted.frameDuration : nil
  }

  static func applies(source: FrameRate, wanted: FrameRate) -> Bool {
    source.framesPerSecond > wanted.framesPerSecond * 1.05
  }

  mutating func allows(_ time: MonotonicTime) -> Bool {
    guard let interval else { return true }
    let tolerance = MediaTime(nanoseconds: interval.nanoseconds / 8)
    guard let due = next else {
      next = time + interval
      return true
    }
    guard time + tolerance >= due else { return false }
    let isLate = time - due > interval
    next = (isLate ? time : due) + interval
    return true
  }
}
