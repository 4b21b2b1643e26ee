import HoldfastMediaModel
import Testing

@testable import HoldfastCapture

@Suite struct SoundSeamsTests {
  /// What is missing before a block that comes so much later than the end of the one before, and whether it is after a jump.
  private func seam(_ milliseconds: Int64) -> (MediaTime, Bool) {
    var seams = SoundSeams()
    let format = AudioFormat(sampleRate: 48_000, channels: 1)
    let (start, samples) = (MonotonicTime(nanoseconds: 5_000_000_000), [Float](repeating: 0, count: 960))
    _ = seams.add(AudioBlock(format: format, captureTime: start, samples: samples))
    let next = seams.add(
      AudioBlock(
        format: format, captureTime: start + .milliseconds(20 + milliseconds), samples: samples))
    return (next.lostBefore, next.isAfterJump)
  }

  @Test(arguments: [-20, -15, -1, 0, 1, 15] as [Int64])
  func `inexact stamps are no seam`(offset: Int64) {
    #expect(seam(offset) == (.zero, false))
  }

  @Test func `what is missing is lost`() {
    #expect(seam(100) == (.milliseconds(100), false))
  }

  @Test func `a block without a stamp continues the sound`() {
    var seams = SoundSeams()
    let format = AudioFormat(sampleRate: 48_000, channels: 1)
    let (start, samples) = (MonotonicTime(nanoseconds: 5_000_000_000), [Float](repeating: 0, count: 960))
    func block(_ milliseconds: Int64) -> AudioBlock {
      AudioBlock(format: format, captureTime: start + .milliseconds(milliseconds), samples: samples)
    }
    _ = seams.add(block(0))
    #expect(seams.add(block(700), isStamped: false).lostBefore == .zero)
    #expect(seams.add(block(40)).lostBefore == .zero)
  }

  @Test func `what comes again after a jump does not continue the sound`() {
    #expect(seam(-465) == (.zero, true))
  }
}
