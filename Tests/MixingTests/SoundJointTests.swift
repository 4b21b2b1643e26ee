import Glibc
import HoldfastMediaModel
import HoldfastMixing
import Testing

@Suite struct SoundJointTests {
  private let format = AudioFormat(sampleRate: 48_000, channels: 2)

  private func tone(_ frames: Int, from start: Int, level: Float) -> [Float] {
    (0..<frames).flatMap { frame -> [Float] in
      let value = level * sinf(Float(start + frame) * 2 * .pi * 100 / 48_000)
      return [value, -value]
    }
  }

  /// The largest step between two samples of a channel.
  private func step(_ samples: [Float]) -> Float {
    zip(samples, samples.dropFirst(2)).map { abs($1 - $0) }.max() ?? 0
  }

  @Test(arguments: [120, 480, 5000])
  func `no step is louder than -40 dBFS, from sound to silence and back`(block: Int) {
    var joint = SoundJoint()
    var result: [Float] = []
    // 120 frames are a quarter of the period: both joints are at the loudest value.
    for part in [
      tone(block, from: 0, level: 0.5), [Float](repeating: 0, count: block * 2),
      tone(block, from: 120, level: 0.5),
    ] {
      result += joint.smoothed(part, format)
      joint.begin()
    }
    #expect(step(result) < 0.01)
    #expect(result.count == block * 6)
  }

  @Test func `sound without a joint is unchanged`() {
    var joint = SoundJoint()
    let first = tone(960, from: 0, level: 0.5)
    #expect(joint.smoothed(first, format) == first)
    let next = tone(960, from: 77, level: 0.5)
    #expect(joint.smoothed(next, format) == next)
  }

  @Test func `sound is its own again 10 ms after a joint`() {
    var joint = SoundJoint()
    _ = joint.smoothed([1, 1], format)
    joint.begin()
    let next = [Float](repeating: 0, count: 2000)
    let result = joint.smoothed(next, format)
    #expect(result[0] == 1 && result[960...].allSatisfy { $0 == 0 })
  }

  @Test func `another number of channels has no joint beyond its samples`() {
    var joint = SoundJoint()
    _ = joint.smoothed([0.5, 0.5], format)
    joint.begin()
    let mono = joint.smoothed([0, 0, 0], AudioFormat(sampleRate: 48_000, channels: 1))
    #expect(mono.count == 3 && abs(mono[0] - 0.5) < 0.001)
  }
}
