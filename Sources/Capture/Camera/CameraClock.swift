internal import HoldfastMediaModel

/// Tells when a picture was taken: by the driver's stamp for as long as that can be true, else by its arrival.
///
/// A stamp from before the camera was started, from the future, or no later than the picture before is of another clock,
/// or of none. Such a driver isn't believed again: a time line made of two clocks would jump to and fro.
struct CameraClock {
  private let start: MonotonicTime
  private var isBelieved = true
  private var last: MonotonicTime?

  /// A picture may be stamped with the beginning of its exposure, which began before the camera was asked for it.
  private static let longestExposure = MediaTime.seconds(1)
  /// Drivers that reckon from the camera's own clock to ours are a little off.
  private static let tolerance = MediaTime.milliseconds(50)

  init(start: MonotonicTime) {
    self.start = start
  }

  /// Always later than the picture before. `stamp` is nil where the driver has none of our clock.
  mutating func time(stamp: MonotonicTime?, arrival: MonotonicTime) -> MonotonicTime {
    if let stamp, isBelieved, canBeTrue(stamp, arrival) {
      last = stamp
      return stamp
    }
    isBelieved = false
    let time = last.map { max(arrival, $0 + MediaTime(nanoseconds: 1000)) } ?? arrival
    last = time
    return time
  }

  private func canBeTrue(_ stamp: MonotonicTime, _ arrival: MonotonicTime) -> Bool {
    stamp >= start - Self.longestExposure && stamp <= arrival + Self.tolerance
      && last.map { stamp > $0 } ?? true
  }
}
