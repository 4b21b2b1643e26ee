import HoldfastMediaModel
import TestRandomness
import Testing

@testable import HoldfastMP4

/// What counts as a hole in a track.
@Suite struct TrackSurveyTests {
  private static let thirtieth: Int64 = 3000
  private static let packet: Int64 = 1024

  private func survey(_ kind: TrackKind, _ times: [Int64]) -> TrackSurvey {
    let track = RecordedTrack(id: 1, kind: kind, timescale: kind == .video ? 90_000 : 48_000)
    var survey = TrackSurvey(track, codec: "")
    for time in times { survey.add(.init(time: time, duration: 1, delay: 0, flags: 0, bytes: 0..<1)) }
    survey.finish()
    return survey
  }

  private func pictures(_ numbers: some Sequence<Int64>) -> [Int64] { numbers.map { $0 * Self.thirtieth } }

  @Test(arguments: 1...33)
  func `a camera's late pictures are not holes`(jitter: UInt64) {
    var random = SplitMix64(seed: jitter)
    // A driver's time that goes back is dropped before it is recorded.
    var times: [Int64] = []
    for number in 0..<900 {
      let time = Int64(number) * Self.thirtieth + Int64(random.next() % (jitter * 90))
      if time > times.last ?? -1 { times.append(time) }
    }
    // With up to two thirds of a picture none goes back.
    if jitter < 33 { #expect(times.count == 900) }
    #expect(survey(.video, times).holes == [])
  }

  @Test func `a single missing picture is a hole`() {
    for lost in Int64(1)..<40 {
      let holes = survey(.video, pictures((0..<60).filter { $0 != lost })).holes
      #expect(holes.map(\.at) == [MediaTime(ticks: lost * Self.thirtieth, timescale: 90_000)])
      #expect(holes.map(\.length) == [FrameRate.thirty.frameDuration])
    }
  }

  @Test func `a hole among late pictures has its length`() {
    var random = SplitMix64(seed: 1)
    let times = (Int64(0)..<600).filter { $0 < 300 || $0 >= 330 }.map { number in
      number * Self.thirtieth + Int64(random.next() % 2250)
    }
    let lengths = survey(.video, times).holes.map(\.length.milliseconds)
    #expect(lengths.map { abs($0 - 1000) <= 100 } == [true], "\(lengths)")
  }

  @Test(arguments: [(25, 20), (30, 25), (60, 50)])
  func `a frame rate that leaves out pictures has no holes`(source: Int64, target: Int64) {
    let numbers = (0..<Int64(600)).filter { (number: Int64) -> Bool in
      number * target / source != (number - 1) * target / source || number == 0
    }
    #expect(survey(.video, numbers.map { $0 * 90_000 / source }).holes == [])
  }

  @Test func `a short first packet of sound is not a hole, but 3 ms between two packets are`() {
    let first = [0] + (0..<Int64(100)).map { 500 + $0 * Self.packet }
    #expect(survey(.audio, first).holes == [])
    let late = first.prefix(3) + first.dropFirst(3).map { $0 + 144 }
    #expect(survey(.audio, Array(late)).holes.map(\.length) == [.milliseconds(3)])
  }
}
