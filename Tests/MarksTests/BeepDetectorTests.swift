import HoldfastMediaModel
import TestRandomness
import Testing

@testable import HoldfastMarks

@Suite struct SineTests {
  @Test(
    arguments: [
      (0, 0), (30, 0.5), (45, 0.7071067811865476), (90, 1), (180, 0), (270, -1), (-90, -1), (36090, 1),
      (60, 0.8660254037844386), (210, -0.5),
    ] as [(Double, Double)])
  func `the sine function matches known values`(degrees: Double, value: Double) {
    #expect(abs(sine(turns: degrees / 360) - value) < 1e-9)
  }
}

@Suite struct BeepDetectorTests {
  /// What `seconds` of the test tone sound like when the sound begins at `start` of the monotonic clock.
  private func tone(_ rate: Int, from start: Double, seconds: Double) -> [Float] {
    (0..<Int(seconds * Double(rate))).map { index in
      let instant = start + Double(index) / Double(rate)
      let second = instant.rounded(.down)
      let isBeep = instant - second < 0.1
      let hertz = isBeep ? Double(1000 + 100 * (Int(second) % 8)) : 440
      return Float((isBeep ? 0.398 : 0.0316) * sine(turns: hertz * (instant - second)))
    }
  }

  private func beeps(in sound: [Float], rate: Int = 48000, start: MediaTime = .zero) -> [Beep] {
    var detector = BeepDetector(sampleRate: rate, start: start)
    return detector.process(sound)
  }

  private func onsetErrors(_ beeps: [Beep], seconds: [Int], start: Double) -> [Double] {
    zip(beeps, seconds).map { abs($0.onset.milliseconds - (Double($1) - start) * 1000) }
  }

  @Test(arguments: [8000, 16000, 22050, 32000, 44100, 48000, 96000], [0.5, 0.123_456_7, 0.95, 0.700_011])
  func `every beep is found at its onset`(rate: Int, start: Double) {
    let beeps = beeps(in: tone(rate, from: 5 + start, seconds: 4.2 - start), rate: rate)
    #expect(beeps.map(\.pitch) == [6, 7, 0, 1])
    #expect(onsetErrors(beeps, seconds: [6, 7, 8, 9], start: 5 + start).allSatisfy { $0 < 0.25 })
  }

  @Test func `all eight pitches of a beep are recognized`() {
    let beeps = beeps(in: tone(16000, from: 0.5, seconds: 8.3), rate: 16000)
    #expect(beeps.map(\.pitch) == [1, 2, 3, 4, 5, 6, 7, 0])
  }

  @Test func `the generated tone is the signal that the detector looks for`() throws {
    let signal = ToneSignal(sampleRate: 48000)
    let made = (0..<48000).map { signal.sample(48000 * 3 - 24000 + $0) }
    let difference = zip(made, tone(48000, from: 2.5, seconds: 1)).map { abs($0 - $1) }.max()
    #expect(try #require(difference) < 1e-5)
  }

  @Test(arguments: [1, 100, 441, 1024, 5000])
  func `the same sound gives the same beeps in blocks of any size`(blockSize: Int) {
    let sound = tone(16000, from: 3.4, seconds: 2.8)
    var pieces = BeepDetector(sampleRate: 16000)
    let found = stride(from: 0, to: sound.count, by: blockSize).flatMap {
      pieces.process(Array(sound[$0..<min($0 + blockSize, sound.count)]))
    }
    #expect(found.count == 3 && found == beeps(in: sound, rate: 16000))
  }

  @Test func `the onsets of beeps count from the given start time`() throws {
    let beep = try #require(beeps(in: tone(48000, from: 1.75, seconds: 0.5), start: .seconds(3600)).first)
    #expect(abs(beep.onset.milliseconds - 3_600_250) < 0.1)
  }

  @Test(arguments: [0.01, 0.03, 0.08] as [Float])
  func `noise moves a beep's onset by less than a millisecond`(amplitude: Float) {
    var randomness = SplitMix64(seed: 11)
    let sound = tone(48000, from: 0.4, seconds: 5.9).map {
      $0 + Float.random(in: -amplitude...amplitude, using: &randomness)
    }
    let beeps = beeps(in: sound)
    #expect(beeps.map(\.pitch) == [1, 2, 3, 4, 5, 6])
    #expect(onsetErrors(beeps, seconds: [1, 2, 3, 4, 5, 6], start: 0.4).allSatisfy { $0 < 1 })
  }

  @Test(arguments: [0.02, 0.05, 0.08])
  func `a truncated beep is not reported`(missing: Double) {
    let rate = 48000
    let cutBefore = tone(rate, from: 0.5, seconds: 0.2) + tone(rate, from: 1 + missing, seconds: 0.6)
    let cutAfter = tone(rate, from: 0.5, seconds: 0.6 - missing) + tone(rate, from: 1.3, seconds: 0.5)
    #expect([cutBefore, cutAfter].map { beeps(in: $0) } == [[], []])
  }

  @Test func `noise, clicks and other tones are not taken for beeps`() {
    var randomness = SplitMix64(seed: 5)
    let silence = [Float](repeating: 0, count: 24000)
    let noise = (0..<4800).map { _ in Float.random(in: -0.5...0.5, using: &randomness) }
    let click = [Float](repeating: 0.9, count: 480)
    let offPitch = (0..<4800).map { Float(0.4 * sine(turns: 700 * Double($0) / 48000)) }
    #expect(beeps(in: silence + noise + silence + click + silence + offPitch + silence).isEmpty)
  }

  @Test func `no beeps are found at a sample rate too low to carry them`() {
    #expect(beeps(in: [Float](repeating: 0.5, count: 1000), rate: 100).isEmpty)
  }
}
