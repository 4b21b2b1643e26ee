internal import HoldfastMediaModel

/// Times pictures by the driver's stamps as long as they are plausible, else by their arrival.
///
/// A stamp from before the camera's start, from the future, or no later than the last picture's comes from another clock.
/// The driver's stamps are ignored from then on, as a mixture of two clocks would jump.
struct CameraClock {
  private let start: MonotonicTime
  private var isTrusted = true
  private var last: MonotonicTime?

  /// A stamp may be that of the exposure's start, which may lie before the camera's.
  private static let longestExposure = MediaTime.seconds(1)
  /// The error of drivers that convert from the camera's own clock.
  private static let tolerance = MediaTime.milliseconds(50)

  init(start: MonotonicTime) { self.start = start }

  /// Always later than the last picture. `stamp` is nil where the driver has none on the monotonic clock.
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
    stamp >= start - Self.longestExposure && stamp <= arrival + Self.tolerance
      && last.map { stamp > $0 } ?? true
  }
}

/// Counts the pictures lost between two that were used, from the driver's numbers, or else from the unusable ones.
struct CameraLosses: Hashable {
  private var last: UInt32?
  private var unused = 0

  /// The pictures lost right before number `sequence`. Numbers may wrap, and restart after a reset.
  func before(_ sequence: UInt32) -> Int {
    guard let last else { return unused }
    let steps = Int(Int32(bitPattern: sequence &- last))
    return max(steps - 1, unused)
  }

  mutating func use(_ sequence: UInt32) {
    last = sequence
    unused = 0
  }

  /// Counts a picture that could not be used.
  mutating func leaveOut() { unused += 1 }
}
