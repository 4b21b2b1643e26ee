import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastMixing

/// The sound of a tile by the mixer's clock: aligned, resampled, and kept until it is mixed.
struct TileSound: ~Copyable {
  private let target: AudioFormat
  /// How long after its capture the tile's media arrives.
  private let latency: MediaTime
  private var source: AudioFormat
  private var aligner: AudioAligner
  private var resampler: Resampler
  private var joint = SoundJoint()
  private var ring: SoundRing
  /// Where the next sound belongs, in frames.
  private var position: Int64
  private var isAfterGap = true
  /// The gain of what was read last.
  private var gain: Float

  private static let origin = MonotonicTime(nanoseconds: 0)
  /// Sound that is kept at most.
  private static let capacity = MediaTime.seconds(3)
  private static let fade = MediaTime.milliseconds(5)

  /// The first frame that is read is the one at `position`.
  init(_ target: AudioFormat, position: Int64, latency: MediaTime, isMuted: Bool) throws(FFmpegError) {
    (self.target, self.latency, self.position) = (target, latency, position)
    source = target
    aligner = AudioAligner(source: target, target: target, origin: Self.origin)
    resampler = try Resampler(from: target, to: target, isAdjustable: true)
    ring = SoundRing(
      channels: target.channels, capacity: Int(Self.capacity.ticks(timescale: target.sampleRate)),
      position: position)
    gain = isMuted ? 0 : 1
  }

  /// Until when there is sound.
  var end: MonotonicTime { Self.origin + target.duration(ofFrames: Int(position)) }

  /// What follows does not continue what was before.
  mutating func noteGap() { isAfterGap = true }

  mutating func add(_ block: AudioBlock) throws(FFmpegError) {
    guard block.frameCount > 0 else { return }
    if block.format != source {
      write(try resampler.finish())
      source = block.format
      aligner = AudioAligner(source: source, target: target, origin: Self.origin)
      resampler = try Resampler(from: source, to: target, isAdjustable: true)
    }
    let isAfterGap = isAfterGap || block.lostBefore > .zero || block.isAfterJump
    self.isAfterGap = false
    let placement = aligner.place(
      stamp: block.captureTime + latency, frames: block.frameCount,
      position: position + Int64(resampler.delay), isAfterLoss: isAfterGap)
    position += Int64(placement.silence)
    if isAfterGap || placement.silence > 0 || placement.skipped > 0 { joint.begin() }
    if let stretch = placement.stretch { try resampler.stretch(by: stretch, over: target.sampleRate) }
    let samples = Array(block.samples.dropFirst(placement.skipped * source.channels))
    if !samples.isEmpty { write(try resampler.convert(joint.smoothed(samples, source))) }
  }

  private mutating func write(_ samples: [Float]) {
    ring.write(samples, at: position)
    position += Int64(samples.count / target.channels)
  }

  /// Adds the next frames to the mix; a muted tile fades out, and in again.
  mutating func read(into mix: inout [Float], isMuted: Bool) {
    ring.read(
      into: &mix, gain: &gain, toward: isMuted ? 0 : 1,
      by: 1 / Float(Self.fade.ticks(timescale: target.sampleRate)))
  }

  /// Leaves out what was to be read up to `position`.
  mutating func skip(to position: Int64) {
    ring.restart(at: position)
    isAfterGap = true
  }
}
