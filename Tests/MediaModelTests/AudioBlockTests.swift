import HoldfastMediaModel
import Testing

@Suite struct AudioBlockTests {
  private let start = MonotonicTime(nanoseconds: 1_000_000_000)

  /// 10 ms of stereo, each frame with its number.
  private var block: AudioBlock {
    AudioBlock(
      format: AudioFormat(sampleRate: 48_000, channels: 2), captureTime: start,
      samples: (0..<480).flatMap { [Float($0), Float($0)] }, lostBefore: .milliseconds(3))
  }

  @Test func `a cut of an audio block begins and ends at the nearest frames`() {
    let part = block.cut(to: start + .milliseconds(2)..<start + .milliseconds(7))
    #expect((part.frameCount, part.samples.first, part.samples.last) == (240, 96, 335))
    #expect((part.captureTime, part.lostBefore) == (start + .milliseconds(2), .zero))
  }

  @Test func `a cut to the whole audio block changes nothing`() {
    let part = block.cut(to: start..<start + .milliseconds(10))
    #expect(part.frameCount == 480 && part.lostBefore == .milliseconds(3))
    #expect(block.cut(to: start - .seconds(1)..<start + .seconds(1)).frameCount == 480)
  }

  @Test func `a cut to a range outside the audio block is empty`() {
    #expect(block.cut(to: start + .seconds(1)..<start + .seconds(2)).frameCount == 0)
    #expect(block.cut(to: start - .seconds(2)..<start - .seconds(1)).frameCount == 0)
  }
}
