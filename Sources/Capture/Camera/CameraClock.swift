import HoldfastMediaModel

/// Times pictures by the driver's timestamps while they are plausible, else by their arrival.
///
/// Ignores all timestamps after the first implausible one, as mixing two clocks would cause jumps.
struct CameraClock {
  private let start: MonotonicTime
  private var isTrusted = true
  private var last: MonotonicTime?

  /// A timestamp may be the start of an exposure that began before the stream.
  private static let maxExposure = MediaTime.seconds(1)
  /// The error of drivers that convert from the camera's clock.
  private static let tolerance = MediaTime.milliseconds(50)

  init(start: MonotonicTime) { self.start = start }

  /// Always later than the previous result. `stamp` is nil without a monotonic timestamp.
  mutating func time(stamp: MonotonicTime?, arrival: MonotonicTime) -> MonotonicTime {
    if let stamp, isTrusted, isPlausible(stamp, arrival) {
      last = stamp
      return stamp
    }
    isTrusted = false
    let time = last.map { max(arrival, $0 + MediaTime(nanoseconds: 1000)) } ?? arrival
    last = time
    return time
  }

  private func isPlausible(_ stamp: MonotonicTime, _ arrival: MonotonicTime) -> Bool {
    stamp >= start - Self.maxExposure && stamp <= arrival + Self.tolerance
      && last.map { stamp > $0 } ?? true
  }
}

/// Counts the pictures lost between two used ones, by sequence number, or at least the unusable ones.
struct CameraLosses: Hashable {
  private var last: UInt32?
  private var unused = 0

  /// The pictures lost right before `sequence`, which may wrap, and restart after a reset.
  func before(_ sequence: UInt32) -> Int {
    guard let last else { return unused }
    let steps = Int(Int32(bitPattern: sequence &- last))
    return max(steps - 1, unused)
  }

  mutating func use(_ sequence: UInt32) {
    last = sequence
    unused = 0
  }

  mutating func leaveOut() { unused += 1 }
}
