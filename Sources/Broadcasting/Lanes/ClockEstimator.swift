import HoldfastMediaModel

/// Tells from a device's stamps when its samples were really taken, and how fast its clock runs.
///
/// The stamps are true in the mean, but each is a little early or late. A delay-locked loop follows them, quickly at
/// first and then ever more slowly, so that a single stamp moves nothing that can be heard.
struct ClockEstimator: Sendable {
  private struct Lock {
    /// When the next sample is due.
    var time: MonotonicTime
    /// Seconds by which the device falls behind in a second.
    var slowness: Double
    /// How long the loop has run.
    var age: Double
  }

  private let sampleRate: Double
  private var lock: Lock?

  /// Nothing we know of is worse: the rest is a mistake in the stamps.
  private static let largestDrift = 0.002
  private static let finalBandwidth = 0.003

  init(sampleRate: Int) {
    self.sampleRate = Double(sampleRate)
  }

  /// How much faster than it says the device's clock runs, in millionths.
  var drift: Double { -(lock?.slowness ?? 0) * 1e6 }

  /// By how much `stamp` differs from what was expected; nil before the first.
  func surprise(_ stamp: MonotonicTime) -> MediaTime? {
    lock.map { stamp - $0.time }
  }

  /// Takes the stamp of the first of `frames` samples, and answers when that sample was really taken.
  mutating func follow(_ stamp: MonotonicTime, frames: Int) -> MonotonicTime {
    let length = Double(frames) / sampleRate
    guard var lock else {
      self.lock = Lock(time: stamp + MediaTime(seconds: length), slowness: 0, age: length)
      return stamp
    }
    let omega = 2 * Double.pi * max(Self.finalBandwidth, 0.2 / (1 + lock.age)) * length
    let error = (stamp - lock.time).seconds
    let time = lock.time + MediaTime(seconds: error * min(1, omega * 2.0.squareRoot()))
    lock.slowness = lock.slowness + error * min(1, omega * omega) / length
    lock.slowness = min(max(lock.slowness, -Self.largestDrift), Self.largestDrift)
    lock.time = time + MediaTime(seconds: length * (1 + lock.slowness))
    lock.age += length
    self.lock = lock
    return time
  }

  /// Begins again at the next stamp, behind a stretch that is missing; what was learnt of the clock stays.
  mutating func restart(at stamp: MonotonicTime) {
    lock?.time = stamp
  }
}
