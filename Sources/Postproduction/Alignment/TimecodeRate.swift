import HoldfastMediaModel

/// How editors count the pictures of a second: at one of the usual rates, without dropping numbers.
struct TimecodeRate: Hashable, Sendable, CustomStringConvertible {
  let rate: FrameRate

  private static let usual = [
    "23.976", "24", "25", "29.97", "30", "47.952", "48", "50", "59.94", "60", "100", "119.88", "120",
  ].compactMap { FrameRate($0) }

  /// The usual rate next to `rate`, which may be an estimate; for a lower one, next to a multiple of it.
  init(nearest rate: FrameRate) {
    let multiple = rate.framesPerSecond * (23.9 / rate.framesPerSecond).rounded(.up)
    func distance(_ other: FrameRate) -> Double { abs(other.framesPerSecond - multiple) }
    self.rate = Self.usual.min { distance($0) < distance($1) } ?? .thirty
  }

  /// Pictures counted in a second of timecode, which may last a thousandth longer than a second.
  var numbersPerSecond: Int64 { Int64(rate.framesPerSecond.rounded(.up)) }

  func frames(in time: MediaTime) -> Int64 { Int64((time.seconds * rate.framesPerSecond).rounded()) }

  /// `HH:MM:SS:FF`
  func timecode(_ frames: Int64) -> String {
    let (seconds, rest) = frames.quotientAndRemainder(dividingBy: numbersPerSecond)
    return [seconds / 3600, seconds / 60 % 60, seconds % 60, rest].map { padded($0, 2) }.joined(
      separator: ":")
  }

  /// Timecode begins anew after a day.
  var framesPerDay: Int64 { 86_400 * numbersPerSecond }

  var description: String { "\(rate)" }
}
