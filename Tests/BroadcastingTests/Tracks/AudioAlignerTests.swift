import HoldfastFFmpeg
import HoldfastMediaModel
import TestRandomness
import Testing

@testable import HoldfastBroadcasting

/// A microphone whose clock runs `drift` millionths too fast and whose stamps are off by up to `jitter` seconds.
private struct DriftingMicrophone {
  let rate: Int
  let drift: Double
  let jitter: Double
  var random = SplitMix64(seed: 7)
  var frames: Int64 = 0

  /// When the next sample is really taken.
  var trueTime: Double { Double(frames) / (Double(rate) * (1 + drift * 1e-6)) }

  mutating func stamp() -> MonotonicTime {
    MonotonicTime(
      nanoseconds: Int64((trueTime + .random(in: -jitter...jitter, using: &random)) * 1e9) + 5_000_000_000)
  }
}

private let start = MonotonicTime(nanoseconds: 5_000_000_000)

@Suite struct AudioAlignerTests {
  private static let format = AudioFormat(sampleRate: 48_000, channels: 1)
  private let aligner = AudioAligner(source: format, target: format, origin: start)

  @Test(arguments: [300.0, -300, 0, 120, -45], [0, 0.002, 0.008])
  func `sound stays within 20 ms of its time for six hours`(drift: Double, jitter: Double) {
    var microphone = DriftingMicrophone(rate: 48_000, drift: drift, jitter: jitter)
    var aligner = aligner
    var position = 0.0
    var stretch = 0.0
    var worst = 0.0
    let block = 4800
    for _ in 0..<(6 * 3600 * 10) {
      worst = max(worst, abs(position / 48_000 - microphone.trueTime))
      let placement = aligner.place(
        stamp: microphone.stamp(), frames: block, position: Int64(position), isAfterLoss: false)
      stretch = placement.stretch.map { Double($0) / 48_000 } ?? stretch
      position += Double(placement.silence + (block - placement.skipped)) * (1 + stretch)
      microphone.frames += Int64(block)
    }
    #expect(worst <= 0.020)
    #expect(abs(aligner.drift - drift) < 10)
  }

  @Test(arguments: [300.0, -300])
  func `resampled sound stays within 20 ms of its time for six hours`(drift: Double) throws {
    let format = AudioFormat(sampleRate: 8000, channels: 1)
    var microphone = DriftingMicrophone(rate: 8000, drift: drift, jitter: 0.001)
    var aligner = AudioAligner(source: format, target: format, origin: start)
    var resampler = try Resampler(from: format, to: format, isAdjustable: true)
    let block = [Float](repeating: 0.25, count: 800)
    var emitted = 0
    var worst = 0.0
    for _ in 0..<(6 * 3600 * 10) {
      let position = emitted + resampler.delay
      worst = max(worst, abs(Double(position) / 8000 - microphone.trueTime))
      let placement = aligner.place(
        stamp: microphone.stamp(), frames: block.count, position: Int64(position), isAfterLoss: false)
      if let stretch = placement.stretch { try resampler.stretch(by: stretch, over: 8000) }
      emitted += try resampler.convert(Array(block.dropFirst(placement.skipped))).count + placement.silence
      microphone.frames += Int64(block.count)
    }
    #expect(worst <= 0.020)
  }

  @Test func `sound is stretched by no more than one frame in a thousand`() {
    var microphone = DriftingMicrophone(rate: 48_000, drift: 1900, jitter: 0)
    var aligner = aligner
    var position: Int64 = 0
    var stretches: [Int] = []
    for _ in 0..<3000 {
      let placement = aligner.place(
        stamp: microphone.stamp(), frames: 480, position: position, isAfterLoss: false)
      if let stretch = placement.stretch { stretches.append(stretch) }
      microphone.frames += 480
      position += 480
    }
    #expect(stretches.count == 29)
    #expect(stretches.allSatisfy { abs($0) <= 48 })
    #expect(stretches.last == -48)
  }

  @Test(
    arguments: [(-4, .init(skipped: 192)), (4, .init(silence: 192))] as [(Int64, AudioAligner.Placement)])
  func `sound before the origin is cut, and a later start is preceded by silence`(
    milliseconds: Int64, expected: AudioAligner.Placement
  ) {
    var aligner = aligner
    #expect(aligner.place(at: milliseconds) == expected)
  }

  @Test func `whole blocks before the origin are cut`() {
    var aligner = aligner
    let skipped = [-24, -14, -4].map { aligner.place(at: $0).skipped }
    #expect(skipped == [480, 480, 192])
  }

  @Test func `sound lost by the device is replaced with as much silence`() {
    var aligner = aligner
    _ = aligner.place(at: 0)
    #expect(aligner.place(at: 35, position: 480, isAfterLoss: true) == .init(silence: 1200))
  }

  @Test func `a jump in time stamps is followed once it persists`() {
    var aligner = aligner
    let silence = (0..<20 as Range<Int64>).map { block in
      aligner.place(at: block * 10 + (block < 8 ? 0 : 300), position: block * 480).silence
    }
    #expect(silence.reduce(0, +) == 14_400)
    #expect(silence[8] == 0)
  }

  @Test func `a single stray time stamp changes nothing`() {
    var aligner = aligner
    for block in 0..<300 as Range<Int64> {
      let placement = aligner.place(at: block * 10 + (block == 150 ? 400 : 0), position: block * 480)
      #expect(placement.silence == 0 && placement.skipped == 0)
      #expect(abs(placement.stretch ?? 0) <= 1)
    }
  }

  @Test func `sound from before the track's end is left out, however many blocks it spans`() {
    var aligner = aligner
    var position: Int64 = 48_000
    var left = 0
    // A device that is back gives first what it has kept: here the last 300 ms before the track's end.
    for block in 0..<50 as Range<Int64> {
      let placement = aligner.place(at: 700 + block * 10, position: position, isAfterLoss: block == 0)
      position += Int64(placement.silence + 480 - placement.skipped)
      left += placement.skipped
    }
    #expect(left == 14_400)
    #expect(position == 48_000 + 50 * 480 - 14_400)
  }
}

extension AudioAligner {
  /// Places 10 ms of sound that were captured so many milliseconds after the origin.
  fileprivate mutating func place(at time: Int64, position: Int64 = 0, isAfterLoss: Bool = false) -> Placement
  {
    place(stamp: start + .milliseconds(time), frames: 480, position: position, isAfterLoss: isAfterLoss)
  }
}
