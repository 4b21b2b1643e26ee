import HoldfastMediaModel
import HoldfastMediaSources
import TestRandomness
import TestTraits
import Testing

@testable import HoldfastBroadcasting

/// A network source whose clock is wrong: picture and sound stay together on our time line.
@Suite(.computing) struct FarClockTests {
  private let format = AudioFormat(sampleRate: 48_000, channels: 1)

  @Test(arguments: [(300.0, 0.03), (-300, 0)] + (LongTests.run() ? [(300, 0), (-300, 0.03)] : []))
  func `sound stays within 20 ms of the picture for an hour`(drift: Double, jitter: Double) throws {
    var random = SplitMix64(seed: 5)
    var clocks = SourceClocks(.live, latency: .milliseconds(300))
    let origin = MonotonicTime(nanoseconds: 1_000_000_000_000)
    var aligner = AudioAligner(source: format, target: format, origin: origin)
    var (position, stretch, worst) = (0.0, 0.0, 0.0)
    let block = 1024
    for count in 0..<(3600 * 48_000 / block) {
      // The far clock counts its own samples.
      let far = Double(count * block) / 48_000
      let sent = far / (1 + drift * 1e-6)
      let arrival = origin + MediaTime(seconds: sent + 0.05 + .random(in: 0...1, using: &random) * jitter)
      let stamp = MediaTime(seconds: 40 + far)
      for kind in TrackKind.allCases { clocks.add(stamp, of: kind, arrival: arrival) }
      let picture = try #require(clocks.time(of: stamp, .video))
      worst = max(worst, abs(position / 48_000 - (picture - origin).seconds))
      let placement = aligner.place(
        stamp: try #require(clocks.time(of: stamp, .audio)), frames: block, position: Int64(position),
        isAfterLoss: false)
      stretch = placement.stretch.map { Double($0) / 48_000 } ?? stretch
      // The first block is placed behind what it has taken to arrive.
      if count == 0 { worst = 0 }
      position += Double(placement.silence) + Double(block - placement.skipped) * (1 + stretch)
    }
    #expect(worst <= 0.020, "\(worst * 1000) ms")
  }
}
