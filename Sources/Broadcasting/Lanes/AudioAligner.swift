import HoldfastMediaModel

/// Keeps a track's sound where it belongs on the media time line.
///
/// What is missing is made up with silence, what is too much at the start is left out, and a clock that is off is
/// followed by stretching the sound by a few samples a second.
struct AudioAligner: Sendable {
  /// What to do with a block, in this order.
  struct Placement: Hashable, Sendable {
    /// Frames of silence, at the track's rate.
    var silence = 0
    /// Frames to leave out at the block's beginning, at the block's rate.
    var skipped = 0
    /// The next second's sound is to have so many frames more; nil: as before.
    var stretch: Int?
  }

  private let source: AudioFormat
  private let target: AudioFormat
  private let origin: MonotonicTime
  private var estimator: ClockEstimator
  private var framesUntilCorrection: Int
  private var surprises = 0
  /// The last block lay wholly before the track's end.
  private var isBehind = false

  /// Longer than any jitter of a working device.
  private static let jump = MediaTime.milliseconds(60)
  /// So many blocks in a row have to be elsewhere before it is believed.
  private static let surprisesUntilJump = 5
  /// Frames in a thousand; the ear takes no notice of a pitch that is off by 1 in 1000.
  private static let largestStretch = 0.001
  /// The share of an error that is taken back within a second.
  private static let gain = 0.25

  init(source: AudioFormat, target: AudioFormat, origin: MonotonicTime) {
    self.source = source
    self.target = target
    self.origin = origin
    estimator = ClockEstimator(sampleRate: source.sampleRate)
    framesUntilCorrection = source.sampleRate
  }

  /// How much faster than it says the device's clock runs, in millionths.
  var drift: Double { estimator.drift }

  /// Places a block of `frames` whose first was taken at `stamp`; `position` is how many frames the track has already,
  /// `isAfterLoss` that something is missing right before it.
  mutating func place(
    stamp: MonotonicTime, frames: Int, position: Int64, isAfterLoss: Bool
  ) -> Placement {
    let surprise = estimator.surprise(stamp)
    surprises = surprise.map { abs($0.nanoseconds) > Self.jump.nanoseconds } == true ? surprises + 1 : 0
    if surprise == nil || position == 0 || isAfterLoss || isBehind || surprises >= Self.surprisesUntilJump {
      surprises = 0
      return begin(at: stamp, frames: frames, position: position)
    }
    let time = surprises > 0 ? stamp - (surprise ?? .zero) : stamp
    let error = offset(of: estimator.follow(time, frames: frames), from: position)
    return Placement(stretch: correction(of: error, frames: frames))
  }

  /// A block that reaches back before the origin, the first one behind it, or the first behind a hole.
  private mutating func begin(at stamp: MonotonicTime, frames: Int, position: Int64) -> Placement {
    estimator.restart(at: stamp)
    _ = estimator.follow(stamp, frames: frames)
    let offset = offset(of: stamp, from: position)
    isBehind = false
    if offset >= 0 { return Placement(silence: Int(offset.rounded())) }
    let skipped = -offset * Double(source.sampleRate) / Double(target.sampleRate)
    isBehind = skipped >= Double(frames)
    return Placement(skipped: min(frames, Int(skipped.rounded())))
  }

  /// How many frames of the track lie between `position` and where `time` belongs.
  private func offset(of time: MonotonicTime, from position: Int64) -> Double {
    (time - origin).seconds * Double(target.sampleRate) - Double(position)
  }

  private mutating func correction(of error: Double, frames: Int) -> Int? {
    framesUntilCorrection -= frames
    guard framesUntilCorrection <= 0 else { return nil }
    framesUntilCorrection += source.sampleRate
    let rate = Double(target.sampleRate)
    let stretch = error * Self.gain - drift * 1e-6 * rate
    let limit = rate * Self.largestStretch
    return Int(min(max(stretch, -limit), limit).rounded())
  }
}

/// Tells from a device's stamps when its samples were really taken, and how fast its clock runs.
///
/// The stamps are true in the mean, but each is a little early or late. A delay-locked loop follows them, quickly at
/// first and then ever more slowly, so that a single stamp moves nothing that can be heard.
struct ClockEstimator: Sendable {
  private struct Lock {
    var time: MonotonicTime
    /// Seconds by which the device falls behind in a second.
    var slowness: Double
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
