import HoldfastMediaModel

/// Aligns a track's sound with media time: fills gaps with silence, skips overlapping sound, and compensates
/// clock drift by stretching the sound by a few samples a second.
struct AudioAligner: Sendable {
  /// How to place a block; the steps apply in this order.
  struct Placement: Hashable, Sendable {
    /// Frames of silence, at the track's rate.
    var silence = 0
    /// Frames to skip at the block's beginning, at the block's rate.
    var skipped = 0
    /// Frames to add over the next second; nil for no change.
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

  private static let jump = MediaTime.milliseconds(60)
  /// Consecutive unexpected stamps before a jump is accepted.
  private static let surprisesUntilJump = 5
  /// A pitch error of 1 in 1000 is inaudible.
  private static let maxStretch = 0.001
  /// The share of an error that is corrected within a second.
  private static let gain = 0.25

  init(source: AudioFormat, target: AudioFormat, origin: MonotonicTime) {
    self.source = source
    self.target = target
    self.origin = origin
    estimator = ClockEstimator(sampleRate: source.sampleRate)
    framesUntilCorrection = source.sampleRate
  }

  /// The clock drift of the device in parts per million; positive if it runs fast.
  var drift: Double { estimator.drift }

  /// Places a block of `frames` captured at `stamp`, after `position` frames of the track; `isAfterLoss` if
  /// sound is missing right before it.
  mutating func place(stamp: MonotonicTime, frames: Int, position: Int64, isAfterLoss: Bool) -> Placement {
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

  /// Realigns at the first block, or after a gap.
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

  /// The distance in track frames from `position` to `time`.
  private func offset(of time: MonotonicTime, from position: Int64) -> Double {
    (time - origin).seconds * Double(target.sampleRate) - Double(position)
  }

  private mutating func correction(of error: Double, frames: Int) -> Int? {
    framesUntilCorrection -= frames
    guard framesUntilCorrection <= 0 else { return nil }
    framesUntilCorrection += source.sampleRate
    let rate = Double(target.sampleRate)
    let stretch = error * Self.gain - drift * 1e-6 * rate
    let limit = rate * Self.maxStretch
    return Int(min(max(stretch, -limit), limit).rounded())
  }
}

/// Estimates true capture times and clock drift from a device's jittery stamps, with a delay-locked loop that
/// follows quickly at first and then ever more slowly.
struct ClockEstimator: Sendable {
  private struct Lock {
    var time: MonotonicTime
    /// Seconds by which the device falls behind per second.
    var slowness: Double
    var age: Double
  }

  private let sampleRate: Double
  private var lock: Lock?

  /// Larger estimates are errors in the stamps.
  private static let maxDrift = 0.002
  private static let finalBandwidth = 0.003

  init(sampleRate: Int) { self.sampleRate = Double(sampleRate) }

  var drift: Double { -(lock?.slowness ?? 0) * 1e6 }

  /// The difference of `stamp` from the predicted time; nil before the first.
  func surprise(_ stamp: MonotonicTime) -> MediaTime? { lock.map { stamp - $0.time } }

  /// Updates the estimate with the stamp of the first of `frames` samples; returns its true time.
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
    lock.slowness = min(max(lock.slowness, -Self.maxDrift), Self.maxDrift)
    lock.time = time + MediaTime(seconds: length * (1 + lock.slowness))
    lock.age += length
    self.lock = lock
    return time
  }

  /// Restarts at `stamp` after a gap, and keeps the drift estimate.
  mutating func restart(at stamp: MonotonicTime) { lock?.time = stamp }
}
