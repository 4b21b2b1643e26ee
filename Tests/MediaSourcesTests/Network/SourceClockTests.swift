import HoldfastMediaModel
import TestRandomness
import Testing

@testable import HoldfastMediaSources

private func at(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: Int64(seconds * 1e9)) }

/// A source's packets: sent at its own clock, which runs `drift` millionths too fast and began at another time.
private struct FarEnd {
  var drift = 0.0
  var start = 7000.0
  var random = SplitMix64(seed: 3)

  func stamp(_ trueTime: Double) -> MediaTime { MediaTime(seconds: start + trueTime * (1 + drift * 1e-6)) }

  /// Most packets take hardly longer than the shortest way, some much longer.
  mutating func delay(jitter: Double) -> Double {
    let one = Double.random(in: 0...1, using: &random)
    return 0.01 + jitter * one * one * one
  }
}

@Suite struct SourceClockTests {
  @Test(arguments: [300.0, -300, 0], [0, 0.02, 0.15])
  func `times follow a far clock for an hour, and never faster than sound can`(drift: Double, jitter: Double)
    throws
  {
    var far = FarEnd(drift: drift)
    var clock = SourceClock(.live, latency: .milliseconds(300))
    var (worst, steepest, last): (Double, Double, (Double, Double)?) = (0, 0, nil)
    for picture in 0..<(3600 * 25) {
      let sent = Double(picture) / 25
      clock.add(far.stamp(sent), arrival: at(100 + sent + far.delay(jitter: jitter)))
      let time = Double(try #require(clock.time(of: far.stamp(sent))).nanoseconds) / 1e9 - 100
      if sent > 30 { worst = max(worst, abs(time - sent)) }
      if sent > 5, picture % 250 == 0 {
        if let last { steepest = max(steepest, abs((time - last.1) / (sent - last.0) - 1)) }
        last = (sent, time)
      }
    }
    #expect(worst < 0.03 && steepest < 0.001, "\(worst), \(steepest)")
    #expect(clock.jumps == 0)
    if jitter < 0.1 { #expect(abs(clock.drift - drift) < 40) }
  }

  @Test func `what a server has kept for new viewers is in the past`() throws {
    var clock = SourceClock(.live, latency: .milliseconds(300))
    for picture in 0...60 {
      clock.add(MediaTime(seconds: Double(picture) / 30), arrival: at(50 + Double(picture) / 1000))
    }
    #expect(try #require(clock.time(of: .seconds(2))) == at(50.06))
    #expect(try #require(clock.time(of: .zero)) == at(48.06))
  }

  @Test(arguments: [3600.0, -3600, 2, -2])
  func `stamps that jump begin anew at their arrival`(jump: Double) throws {
    var clock = SourceClock(.live, latency: .milliseconds(300))
    for picture in 0..<300 {
      let (sent, shift) = (Double(picture) / 30, picture < 150 ? 0 : jump)
      let stamp = MediaTime(seconds: 5000 + sent + shift)
      clock.add(stamp, arrival: at(10 + sent))
      #expect(abs((try #require(clock.time(of: stamp)) - at(10 + sent)).seconds) < 0.001)
    }
    #expect(clock.jumps == 1)
  }

  @Test func `media ahead of its time runs at our clock from its first arrival on`() throws {
    var clock = SourceClock(.ahead, latency: .milliseconds(300))
    // Three segments at once, then one every six seconds.
    for segment in 0..<20 {
      let arrival = segment < 3 ? 10.0 : 10 + Double(segment - 2) * 6
      for picture in 0..<60 {
        clock.add(MediaTime(seconds: Double(segment * 60 + picture) / 10), arrival: at(arrival))
      }
    }
    #expect((clock.jumps, clock.time(of: .seconds(100))) == (0, at(110)))
  }

  @Test func `media that comes too late for its time begins anew`() {
    var clock = SourceClock(.ahead, latency: .milliseconds(300))
    for (stamp, arrival) in [(0.0, 10.0), (6, 10), (12, 25)] {
      clock.add(MediaTime(seconds: stamp), arrival: at(arrival))
    }
    #expect((clock.jumps, clock.time(of: .seconds(12))) == (1, at(25)))
  }

  @Test func `picture and sound of a playlist begin together, whichever is stored first`() throws {
    var clocks = SourceClocks(.ahead, latency: .milliseconds(300))
    try expectTogether(&clocks, from: 99.54, arrival: 10)
  }

  /// The sound of a segment begins earlier, at `first`, and comes later; all of it arrives at once.
  private func expectTogether(_ clocks: inout SourceClocks, from first: Double, arrival: Double) throws {
    var stored: [(Double, TrackKind, SourceClocks.Era)] = []
    for (offset, kind) in [(0.46, TrackKind.video), (0, .audio), (0.5, .video), (0.02, .audio)] {
      let stamp = MediaTime(seconds: first + offset)
      stored.append((offset, kind, clocks.add(stamp, of: kind, arrival: at(arrival))))
    }
    for (offset, kind, era) in stored {
      let time = try #require(clocks.time(of: MediaTime(seconds: first + offset), kind, era))
      #expect(abs((time - at(arrival + offset)).seconds) < 0.001, "\(kind) \(offset)")
    }
  }

  @Test func `what a playlist has ahead keeps picture and sound together across a jump`() throws {
    var clocks = SourceClocks(.ahead, latency: .milliseconds(300))
    clocks.add(.milliseconds(100_000), of: .video, arrival: at(10))
    let sound = clocks.add(.milliseconds(100_200), of: .audio, arrival: at(10))
    let picture = clocks.add(.milliseconds(100_200), of: .video, arrival: at(10))
    // Another publisher goes on with the playlist.
    clocks.add(.seconds(1), of: .video, arrival: at(10.1))
    clocks.add(.seconds(1), of: .audio, arrival: at(10.1))
    #expect(clocks.time(of: .milliseconds(100_200), .video, picture) == at(10.2))
    #expect(clocks.time(of: .milliseconds(100_200), .audio, sound) == at(10.2))
  }

  @Test func `a track that jumps before the other keeps one clock`() throws {
    var clocks = SourceClocks(.ahead, latency: .milliseconds(300))
    clocks.add(.seconds(100), of: .video, arrival: at(10))
    clocks.add(.seconds(100), of: .audio, arrival: at(10))
    try expectTogether(&clocks, from: 0.54, arrival: 10.1)
  }

  @Test func `tracks whose stamps have nothing to do with each other have clocks of their own`() throws {
    var clocks = SourceClocks(.live, latency: .milliseconds(300))
    for count in 0..<500 {
      let sent = Double(count) / 50
      let (picture, sound) = (MediaTime(seconds: sent), MediaTime(seconds: 900 + sent))
      clocks.add(picture, of: .video, arrival: at(20 + sent))
      clocks.add(sound, of: .audio, arrival: at(20 + sent + 0.004))
      #expect(abs((try #require(clocks.time(of: picture, .video)) - at(20 + sent)).seconds) < 0.01)
      #expect(abs((try #require(clocks.time(of: sound, .audio)) - at(20 + sent)).seconds) < 0.01)
    }
  }

  @Test func `a track that begins almost a second late keeps one clock`() throws {
    var clocks = SourceClocks(.live, latency: .milliseconds(300))
    // Pictures take longer than the sound; what was sent in the first 0.4 s of them is underway for long.
    let arrivals = (0..<500).flatMap { count -> [(arrival: Double, stamp: MediaTime, kind: TrackKind)] in
      let (stamp, sent) = (MediaTime.milliseconds(Int64(count) * 20), 20 + Double(count) / 50)
      return [(sent, stamp, .audio), (count < 20 ? sent + 1.08 : max(sent + 0.1, 21.46), stamp, .video)]
    }
    for (arrival, stamp, kind) in arrivals.sorted(by: { $0.arrival < $1.arrival }) {
      clocks.add(stamp, of: kind, arrival: at(arrival))
      if arrival > 22 { #expect(clocks.time(of: stamp, .video) == clocks.time(of: stamp, .audio)) }
    }
  }

  @Test func `one early stamp does not part the tracks`() throws {
    var clocks = SourceClocks(.live, latency: .milliseconds(300))
    for count in 0..<500 {
      let sent = 20 + Double(count) / 50
      let stamp = MediaTime.milliseconds(Int64(count) * 20)
      clocks.add(count == 200 ? stamp + .milliseconds(950) : stamp, of: .audio, arrival: at(sent))
      clocks.add(stamp, of: .video, arrival: at(sent + 0.1))
      let time = try #require(clocks.time(of: stamp, .video))
      #expect(abs((time - at(sent)).seconds) < 0.02, "\(count)")
    }
  }

  @Test func `random stamps never stop the clock`() {
    var random = SplitMix64(seed: 11)
    var clocks = SourceClocks(.live, latency: .zero)
    for count in 0..<20_000 {
      let stamp = MediaTime(
        nanoseconds: Int64.random(in: -4_000_000_000_000_000_000...4_000_000_000_000_000_000, using: &random))
      let kind = TrackKind.allCases[count % 2]
      clocks.add(stamp, of: kind, arrival: at(Double(count)))
      #expect(clocks.time(of: stamp, kind) != nil)
    }
  }

  @Test func `what arrived before a jump keeps its time`() throws {
    var clocks = SourceClocks(.live, latency: .milliseconds(300))
    let before = clocks.add(.seconds(7000), of: .video, arrival: at(100))
    let after = clocks.add(.seconds(90_000), of: .video, arrival: at(100.04))
    #expect(clocks.time(of: .seconds(7000), .video, before) == at(100))
    #expect(clocks.time(of: .seconds(90_000), .video, after) == at(100.04))
    for jump in 1...20 {
      clocks.add(.seconds(Int64(jump) * 1000), of: .video, arrival: at(101 + Double(jump)))
    }
    #expect(clocks.time(of: .seconds(7000), .video, before) == nil)
  }

  @Test func `one track's jumps do not move the other`() throws {
    var clocks = SourceClocks(.live, latency: .milliseconds(300))
    var sound: (MediaTime, SourceClocks.Era)?
    for packet in 0..<50 {
      let (sent, arrival) = (MediaTime.milliseconds(Int64(packet) * 20), at(100 + Double(packet) * 0.02))
      sound = (sent, clocks.add(sent, of: .audio, arrival: arrival))
      clocks.add(sent + .seconds(5000), of: .video, arrival: arrival)
    }
    let (stamp, era) = try #require(sound)
    #expect(clocks.time(of: stamp, .audio, era) == at(100.98))
  }
}
