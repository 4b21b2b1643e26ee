import HoldfastMediaModel
import HoldfastMixing
import HoldfastPlatform

/// The sum of the tiles' sounds, in blocks by the monotonic clock; frame 0 is at the clock's zero.
struct MixedSound {
  let mixer: Mixer

  /// How long sound may be on its way to the mixer beyond its tile's latency: encoded in frames of 20 ms, decoded late.
  private static let margin = MediaTime.milliseconds(100)
  /// A mixer that is later leaves sound out.
  private static let maxLateness = MediaTime.seconds(1)
  private static let blockLength: Int64 = 960

  private static var format: AudioFormat { Mixer.soundFormat }

  /// The first frame at or after an instant.
  static func frame(at instant: MonotonicTime) -> Int64 {
    (instant - MonotonicTime(nanoseconds: 0)).ticks(timescale: format.sampleRate)
  }

  private static func instant(of frame: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: 0) + MediaTime(ticks: frame, timescale: format.sampleRate)
  }

  func run(until stop: Wakeup, deliver: (consuming AudioBlock) -> Void) {
    var limiter = PeakLimiter(channels: Self.format.channels, sampleRate: Self.format.sampleRate)
    var next = Self.frame(at: .now)
    var lost = MediaTime.zero
    // Tiles by number, whose sound is read from where the mix is.
    var following: Set<Int> = []
    while !stop.wait(until: Self.instant(of: next + Self.blockLength) + Self.margin) {
      if MonotonicTime.now - Self.instant(of: next) > Self.maxLateness {
        let current = Self.frame(at: .now)
        lost = Self.format.duration(ofFrames: Int(current - next))
        next = current
        following = []
        continue
      }
      let (lineup, choice) = (mixer.lineup, mixer.settings.control.current)
      var mix = [Float](repeating: 0, count: Int(Self.blockLength) * Self.format.channels)
      for seat in lineup.seats {
        if !following.contains(seat.tile.number) { seat.tile.skipSound(to: next) }
        seat.tile.readSound(into: &mix, isMuted: seat.isMuted(by: choice))
      }
      following = Set(lineup.seats.map(\.tile.number))
      let time = Self.instant(of: next - Int64(limiter.latency))
      deliver(
        AudioBlock(
          format: Self.format, captureTime: time, samples: limiter.process(mix), lostBefore: lost,
          absentMembers: lineup.missing(.audio, at: time)))
      lost = .zero
      next += Self.blockLength
    }
  }
}
