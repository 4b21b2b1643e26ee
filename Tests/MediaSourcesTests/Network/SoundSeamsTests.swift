import HoldfastMediaModel
import Testing

@testable import HoldfastMediaSources

@Suite struct SoundSeamsTests {
  /// A block of 20 ms that begins so long after the first one.
  private func block(at milliseconds: Int64) -> AudioBlock {
    AudioBlock(
      format: AudioFormat(sampleRate: 48_000, channels: 1),
      captureTime: MonotonicTime(nanoseconds: 5_000_000_000) + .milliseconds(milliseconds),
      samples: [Float](repeating: 0, count: 960))
  }

  /// What is missing before a block that comes so much later than the end of the one before, and whether it is after a jump.
  private func seam(_ milliseconds: Int64) -> (MediaTime, Bool) {
    var seams = SoundSeams()
    _ = seams.add(block(at: 0))
    let next = seams.add(block(at: 20 + milliseconds))
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
    _ = seams.add(block(at: 0))
    #expect(seams.add(block(at: 700), isStamped: false).lostBefore == .zero)
    #expect(seams.add(block(at: 40)).lostBefore == .zero)
  }

  @Test func `what comes again after a jump does not continue the sound`() {
    #expect(seam(-465) == (.zero, true))
  }
}
