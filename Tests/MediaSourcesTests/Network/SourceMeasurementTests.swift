import HoldfastMediaModel
import HoldfastPlatform
import Testing

@testable import HoldfastMediaSources

/// A source's packets: 25 pictures a second of 5000 bytes, a keyframe a second, 50 of sound of 400 bytes.
private struct FarEnd {
  var seconds = 4.0
  /// How much later than the earliest a packet comes.
  var delay: (_ sent: Double) -> Double = { _ in 0 }
  var stamp: (_ sent: Double, TrackKind) -> Double? = { sent, _ in sent + 5000 }
  var hasDecodeStamps = true

  var measurement: SourceMeasurement {
    var measurement = SourceMeasurement()
    for tick in 0..<Int(seconds * 50) {
      let sent = Double(tick) / 50
      let kinds: [TrackKind] = tick % 2 == 0 ? [.video, .audio] : [.audio]
      for kind in kinds {
        let stamp = stamp(sent, kind).map { MediaTime(seconds: $0) }
        measurement.add(
          .init(
            kind: kind, decodeStamp: hasDecodeStamps ? stamp : nil, presentationStamp: stamp,
            isKeyframe: kind == .audio || tick % 50 == 0, bytes: kind == .video ? 5000 : 400,
            arrival: MonotonicTime(nanoseconds: 0) + MediaTime(seconds: sent + delay(sent))))
      }
    }
    return measurement
  }
}

@Suite struct SourceMeasurementTests {
  @Test func `rates and the distance of keyframes are those of the media`() throws {
    let measurement = FarEnd().measurement
    #expect(abs(try #require(measurement.perSecond(.video)) - 25) < 0.01)
    #expect(abs(try #require(measurement.bitsPerSecond(.video)) - 1_000_000) < 1000)
    #expect(abs(try #require(measurement.bitsPerSecond(.audio)) - 160_000) < 1000)
    #expect(measurement.keyframeInterval == .seconds(1))
    #expect(measurement.jitter == .zero && measurement.clockProblems == [])
  }

  @Test func `media that a server has kept arrives at once, and counts by its stamps`() throws {
    let measurement = FarEnd(delay: { $0 < 2 ? 2 - $0 : 0 }).measurement
    #expect(abs(try #require(measurement.perSecond(.video)) - 25) < 0.01)
    #expect(measurement.keyframeInterval == .seconds(1))
  }

  @Test func `jitter is how much later than the earliest the latest packet comes`() throws {
    let late = FarEnd(delay: { $0 == 2.5 ? 0.25 : 0 }).measurement
    #expect(late.jitter == .milliseconds(250))
    // What a server has kept for its new viewers comes late, for less than a second.
    #expect(FarEnd(delay: { $0 < 0.75 ? 0.75 - $0 : 0 }).measurement.jitter == .zero)
    #expect(FarEnd(stamp: { _, _ in nil }).measurement.jitter == nil)
  }

  @Test func `a track that always comes later than the other needs a larger buffer`() {
    let late = FarEnd(stamp: { sent, kind in sent + 5000 - (kind == .audio ? 0.2 : 0) }).measurement
    #expect(late.jitter == .milliseconds(200) && late.clockProblems == [])
  }

  @Test(arguments: [(0, 100), (60, 100), (67, 200), (240, 400), (1000, 1500)] as [(Int64, Int64)])
  func `the jitter buffer covers the jitter and half of it more`(jitter: Int64, latency: Int64) {
    #expect(SourceMeasurement.latency(for: .milliseconds(jitter)) == .milliseconds(latency))
  }

  @Test func `stamps that go back, jump ahead or are missing are named`() {
    func problems(_ stamp: @escaping (Double, TrackKind) -> Double?) -> [String] {
      FarEnd(stamp: stamp).measurement.clockProblems
    }
    let back = problems { sent, kind in kind == .video && sent >= 2 ? sent : sent + 5000 }
    #expect(back.first == "the stamps of the picture went back once")
    let ahead = problems { sent, _ in sent + (sent >= 2 ? 9000 : 5000) }
    #expect(ahead == ["picture", "sound"].map { "the stamps of the \($0) jumped ahead once" })
    let without = problems { sent, kind in kind == .video ? nil : sent }
    #expect(without == ["the picture has no stamps, and is timed by its arrival"])
    let one = problems { sent, kind in kind == .audio && sent == 3 ? nil : sent }
    #expect(one == ["1 of 200 packets of the sound have no stamp"])
    let apart = problems { sent, kind in kind == .audio ? sent + 70 : sent }
    #expect(apart == ["picture and sound have clocks of their own, so they may be out of step"])
  }

  @Test func `pictures that are shown in another order than decoded do not go back`() {
    let reordered: (Double, TrackKind) -> Double? = { sent, _ in
      Int((sent * 25).rounded()) % 2 == 0 ? sent + 0.08 : sent
    }
    #expect(FarEnd(stamp: reordered, hasDecodeStamps: false).measurement.clockProblems == [])
    #expect(FarEnd(stamp: reordered).measurement.clockProblems.count == 2)
  }

  @Test func `a stream that pauses has not jumped`() {
    let paused = FarEnd(delay: { $0 >= 2 ? 3 : 0 }, stamp: { sent, _ in sent + (sent >= 2 ? 3 : 0) })
    #expect(paused.measurement.clockProblems == [])
  }

  @Test func `a playlist sends segments ahead of their time`() {
    var measurement = SourceMeasurement(isAhead: true)
    for picture in 0..<10 {
      measurement.add(
        .init(
          kind: .video, decodeStamp: .seconds(Int64(picture) * 2), bytes: 5000,
          arrival: MonotonicTime(nanoseconds: 0)))
    }
    #expect(measurement.clockProblems == [] && measurement.length == .seconds(18))
  }
}
