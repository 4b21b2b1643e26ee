import HoldfastMediaModel
import HoldfastPlatform

/// Replaces the sound of a muted microphone by silence, with a short fade on both sides to avoid clicks.
final class SoundMute: Sendable {
  private let mute: MuteSwitch
  private let gain: Locked<Float>

  private static let fade = MediaTime.milliseconds(5)

  init(_ mute: MuteSwitch) {
    self.mute = mute
    gain = Locked(mute.isMuted ? 0 : 1)
  }

  func process(_ block: AudioBlock) -> AudioBlock {
    let before = gain.withLock { $0 }
    let end = block.captureTime + block.duration
    let (atStart, atEnd) = (mute.isMuted(at: block.captureTime), mute.isMuted(at: end))
    if !atStart, !atEnd, before == 1 { return block }
    if atStart, atEnd, before == 0 {
      return block.with([Float](repeating: 0, count: block.samples.count))
    }
    let (samples, after) = faded(block, from: before)
    gain.withLock { $0 = after }
    return block.with(samples)
  }

  private func faded(_ block: AudioBlock, from before: Float) -> (samples: [Float], gain: Float) {
    let format = block.format
    let step = 1 / max(1, Float(Self.fade.ticks(timescale: format.sampleRate)))
    var samples = block.samples
    var gain = before
    for frame in 0..<block.frameCount {
      let isMuted = mute.isMuted(at: block.captureTime + format.duration(ofFrames: frame))
      gain = isMuted ? max(0, gain - step) : min(1, gain + step)
      for index in frame * format.channels..<(frame + 1) * format.channels { samples[index] *= gain }
    }
    return (samples, gain)
  }
}

extension AudioBlock {
  fileprivate func with(_ samples: [Float]) -> AudioBlock {
    AudioBlock(
      format: format, captureTime: captureTime, samples: samples, lostBefore: lostBefore,
      isAfterJump: isAfterJump, absentMembers: absentMembers)
  }
}
