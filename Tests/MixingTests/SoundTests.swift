import Foundation
import TestRandomness
import Testing

@testable import HoldfastMixing

@Suite struct SoundRingTests {
  private var ring = SoundRing(channels: 2, capacity: 8, position: 100)

  private mutating func read(_ frames: Int) -> [Float] {
    var mix = [Float](repeating: 0, count: frames * 2)
    ring.read(into: &mix)
    return mix
  }

  @Test mutating func `sound comes out at its time, with silence where nothing was written`() {
    ring.write([1, 2, 3, 4], at: 102)
    #expect(read(5) == [0, 0, 0, 0, 1, 2, 3, 4, 0, 0])
    #expect(ring.position == 105)
  }

  @Test mutating func `reading adds to the mix`() {
    ring.write([1, 2], at: 100)
    var mix: [Float] = [10, 10]
    ring.read(into: &mix)
    #expect(mix == [11, 12])
  }

  @Test mutating func `what was read does not come back when the ring has come round`() {
    ring.write([1, 1], at: 100)
    _ = read(8)
    #expect(read(8) == [Float](repeating: 0, count: 16))
  }

  @Test mutating func `what comes too late or too early is counted, and the rest is kept`() {
    ring.write([1, 1, 2, 2, 3, 3], at: 98)
    #expect(ring.lateFrames == 2 && ring.earlyFrames == 0)
    ring.write([7, 7, 8, 8, 9, 9], at: 106)
    #expect(ring.lateFrames == 2 && ring.earlyFrames == 1)
    ring.write([5, 5], at: 5)
    ring.write([5, 5], at: 500)
    #expect(ring.lateFrames == 3 && ring.earlyFrames == 2)
    #expect(read(8) == [3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 7, 8, 8])
  }

  @Test mutating func `a later write replaces an earlier one`() {
    ring.write([1, 1, 2, 2], at: 100)
    ring.write([9, 9], at: 101)
    #expect(read(2) == [1, 1, 9, 9])
  }

  @Test mutating func `a restart forgets everything`() {
    ring.write([1, 1], at: 100)
    ring.restart(at: 200)
    ring.write([2, 2], at: 201)
    #expect(read(2) == [0, 0, 2, 2])
  }

  @Test func `any writes and reads are the same as on an endless tape`() {
    var random = SplitMix64(seed: 7)
    var ring = SoundRing(channels: 1, capacity: 50, position: -100)
    var tape: [Int64: Float] = [:]
    for _ in 0..<5000 {
      if Bool.random(using: &random) {
        let start = ring.position + Int64.random(in: -20...60, using: &random)
        let samples = (0..<Int.random(in: 0...30, using: &random)).map { _ in
          Float.random(in: -1...1, using: &random)
        }
        for (index, sample) in samples.enumerated() {
          let frame = start + Int64(index)
          if frame >= ring.position, frame < ring.position + 50 { tape[frame] = sample }
        }
        ring.write(samples, at: start)
      } else {
        let count = Int.random(in: 0...20, using: &random)
        let expected = (0..<count).map { tape[ring.position + Int64($0)] ?? 0 }
        var mix = [Float](repeating: 0, count: count)
        ring.read(into: &mix)
        #expect(mix == expected)
        if mix != expected { return }
      }
    }
  }
}

@Suite struct PeakLimiterTests {
  private static let rate = 48_000
  private static let limit: Float = 0.891_25  // -1 dB

  /// In blocks of different lengths, without the delay.
  private func limited(_ samples: [Float], channels: Int = 1) -> [Float] {
    var limiter = PeakLimiter(channels: channels, sampleRate: Self.rate)
    let padded = samples + [Float](repeating: 0, count: limiter.latency * channels)
    var result: [Float] = []
    var (position, length) = (0, 1)
    while position < padded.count {
      let end = min(padded.count, position + length * channels)
      result += limiter.process(Array(padded[position..<end]))
      (position, length) = (end, length * 7 % 1013)
    }
    return Array(result.dropFirst(limiter.latency * channels))
  }

  private func sine(_ hertz: Double, _ amplitude: Float, seconds: Double = 0.5, phase: Double = 0) -> [Float]
  {
    (0..<Int(seconds * Double(Self.rate))).map {
      amplitude * Float(sin(2 * .pi * hertz * Double($0) / Double(Self.rate) + phase))
    }
  }

  /// The highest level, looked for at eight points per sample with a long filter of its own.
  private func truePeak(_ samples: [Float]) -> Float {
    let reach = 24
    var peak = samples.map { abs($0) }.max() ?? 0
    for index in reach..<samples.count - reach where abs(samples[index]) > 0.5 {
      for part in 1..<8 {
        var level = 0.0
        for tap in -reach + 1...reach {
          let x = Double(part) / 8 - Double(tap)
          let window = 0.5 + 0.5 * cos(.pi * x / Double(reach))
          level += Double(samples[index + tap]) * sin(.pi * x) / (.pi * x) * window
        }
        peak = max(peak, Float(abs(level)))
      }
    }
    return peak
  }

  @Test(arguments: [0.0001, 0.3, 0.85] as [Float])
  func `sound below the limit is not changed at all`(amplitude: Float) {
    let samples = sine(997, amplitude) + [Float](repeating: 0, count: 100) + sine(50, amplitude)
    let isUnchanged = limited(samples) == samples
    #expect(isUnchanged)
  }

  @Test(arguments: [40, 997, 6000, 11_025, 12_000, 15_000.0], [0.9, 1, 1.5, 4, 100] as [Float])
  func `no true peak is above -1 dB`(hertz: Double, amplitude: Float) {
    let quiet = sine(hertz, 0.1, seconds: 0.01)
    let result = limited(quiet + sine(hertz, amplitude, seconds: 0.03, phase: .pi / 4) + quiet)
    #expect(truePeak(result) <= Self.limit, "\(truePeak(result))")
  }

  @Test(arguments: 1...5)
  func `noise and single clicks stay below the limit`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var samples = (0..<20_000).map { _ in Float.random(in: -2...2, using: &random) }
    for _ in 0..<20 { samples[Int.random(in: 0..<20_000, using: &random)] = 50 }
    let result = limited(samples)
    let peak = result.map { abs($0) }.max() ?? 0
    #expect(peak <= Self.limit && peak > 0.5, "\(peak)")
  }

  @Test func `a loud sound is lowered before it comes, and gently`() {
    let result = limited([Float](repeating: 0.5, count: 4800) + [Float](repeating: 2, count: 4800))
    #expect(result[4000] == 0.5)
    #expect(abs(result[9000] - 0.86) < 0.001)
    // The level before the step goes down in small steps.
    let steps = zip(result[4000..<4800], result[4001..<4801]).map { $0 - $1 }.dropLast()
    #expect((steps.max() ?? 1) < 0.005)
  }

  @Test func `afterwards, the gain comes back within about a second, and is full again`() {
    let quiet = sine(100, 0.5, seconds: 4)
    let result = limited(sine(997, 3) + quiet)
    let tail = result.dropFirst(24_000)
    #expect(abs(tail[24_000 + 900]) < abs(quiet[900]) * 0.6)
    #expect(zip(tail, quiet).dropFirst(48_000 * 3).allSatisfy { $0 == $1 })
  }

  @Test(arguments: [1, 37, 960])
  func `how the sound is divided into blocks makes no difference`(length: Int) {
    let samples = [0.2, 1.4, 0.3, 0.2, 0.9, 0.1].flatMap { sine(700, $0, seconds: 0.4) }
    var whole = PeakLimiter(channels: 1, sampleRate: Self.rate)
    var divided = whole
    let expected = whole.process(samples)
    var result: [Float] = []
    for start in stride(from: 0, to: samples.count, by: length) {
      result += divided.process(Array(samples[start..<min(samples.count, start + length)]))
    }
    let isSame = result == expected
    #expect(isSame)
  }

  @Test func `both channels have one gain, so that nobody moves`() {
    let samples = sine(997, 2).flatMap { [$0, $0 / 4] }
    let result = limited(samples, channels: 2)
    for frame in stride(from: 0, to: result.count, by: 2) where abs(result[frame]) > 0.1 {
      #expect(abs(result[frame + 1] / result[frame] - 0.25) < 0.001)
    }
  }

  @Test(arguments: [Float.nan, .infinity, -.infinity, .signalingNaN])
  func `what is no number is silence, and harms nothing behind it`(bad: Float) {
    let good = sine(997, 0.5)
    let isClean = limited([bad, bad] + good) == [0, 0] + good
    #expect(isClean)
  }

  @Test func `the largest number is limited, too`() {
    let result = limited(sine(997, 0.5) + [.greatestFiniteMagnitude] + sine(997, 0.5))
    let isLimited = result.allSatisfy { abs($0) <= Self.limit }
    #expect(isLimited)
  }
}

@Suite struct SlidingMinimumTests {
  @Test(arguments: [1, 2, 5, 64])
  func `it is the lowest of the last values`(length: Int) {
    var random = SplitMix64(seed: UInt64(length))
    var minimum = SlidingMinimum(length: length)
    var values: [Float] = []
    for _ in 0..<2000 {
      values.append(Float(Int.random(in: 0...9, using: &random)))
      #expect(minimum.add(values[values.count - 1]) == values.suffix(length).min())
    }
  }

  @Test func `an average of full gains is full gain, for ever`() {
    var average = MovingAverage(length: 240)
    for count in 0..<100_000 { _ = average.add(Float(count % 1000) / 1001) }
    for _ in 0..<240 { _ = average.add(1) }
    #expect(average.add(1) == 1)
  }
}
