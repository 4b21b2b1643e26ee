import HoldfastMediaModel
import HoldfastMediaSources
import TestRandomness
import TestTraits
import Testing

@testable import HoldfastBroadcasting

/// A tile whose source has a wrong clock, through the sound of a programme: its beeps come with its pictures.
@Suite(.computing) struct FarTileTests {
  private static let rate = 48_000
  /// A beep of 10 ms each ten seconds.
  private static let (period, beep) = (10 * rate, rate / 100)
  private static let latency = MediaTime.milliseconds(300)
  private let format = AudioFormat(sampleRate: rate, channels: 1)

  private func block(_ count: Int, at time: MonotonicTime) -> AudioBlock {
    var samples = [Float](repeating: 0, count: 1024)
    let phase = count * 1024 % Self.period
    if phase < Self.beep || phase + 1024 > Self.period {
      for index in 0..<1024 where (phase + index) % Self.period < Self.beep { samples[index] = 0.5 }
    }
    return AudioBlock(format: format, captureTime: time, samples: samples)
  }

  @Test(arguments: LongTests.run() ? [300.0, -300] : [300])
  func `the beeps of a tile stay within 20 ms of its pictures for an hour`(drift: Double) throws {
    var random = SplitMix64(seed: 11)
    var clocks = SourceClocks(.live, latency: Self.latency)
    let origin = MonotonicTime(nanoseconds: 1_000_000_000_000)
    let zero = MonotonicTime(nanoseconds: 0)
    func frame(_ time: MonotonicTime) -> Int64 { (time - zero).ticks(timescale: Self.rate) }
    var (read, isSounding) = (frame(origin), false)
    var sound = try TileSound(format, position: read, latency: Self.latency, isMuted: false)
    // Where the pictures are shown that the beeps belong to, and where the beeps are heard.
    var (shown, heard): ([Int64], [Int64]) = ([], [])
    for count in 0..<3600 * Self.rate / 1024 {
      let far = Double(count * 1024) / Double(Self.rate)
      let now = origin + MediaTime(seconds: far / (1 + drift * 1e-6))
      let arrival = now + MediaTime(seconds: 0.05 + .random(in: 0...0.03, using: &random))
      let stamp = MediaTime(seconds: 40 + far)
      for kind in TrackKind.allCases { clocks.add(stamp, of: kind, arrival: arrival) }
      if count * 1024 % Self.period < 1024 {
        let beep = stamp + MediaTime(ticks: Int64(-(count * 1024) % Self.period), timescale: Self.rate)
        shown.append(frame(try #require(clocks.time(of: beep, .video)) + Self.latency))
      }
      try sound.add(block(count, at: try #require(clocks.time(of: stamp, .audio))))
      while read + 960 < frame(now) {
        var mix = [Float](repeating: 0, count: 960)
        sound.read(into: &mix, isMuted: false)
        read += 960
        // The rest is silent.
        guard let last = shown.last, abs(read - last) < Int64(Self.rate / 5) else { continue }
        for (index, sample) in mix.enumerated() where (sample > 0.25) != isSounding {
          isSounding.toggle()
          if isSounding { heard.append(read - 960 + Int64(index)) }
        }
      }
    }
    #expect(heard.count >= 359 && shown.count >= 359)
    // The first beep may have been read before the clock was known.
    let worst = zip(shown.suffix(heard.count), heard).dropFirst().map { abs($0 - $1) }.max() ?? .max
    #expect(worst <= Int64(Self.rate / 50), "\(Double(worst) / 48) ms")
  }
}
