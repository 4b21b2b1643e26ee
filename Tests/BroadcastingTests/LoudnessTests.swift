import Foundation
import HoldfastMediaModel
import Testing

@testable import HoldfastBroadcasting

@Suite struct LoudnessTests {
  private let format = AudioFormat(sampleRate: 48_000, channels: 2)

  /// The median of what the meter finds in half a second, after it has settled.
  private func loudness(of frequency: Double, amplitude: Double, rate: Int = 48_000) -> Double? {
    let format = AudioFormat(sampleRate: rate, channels: 2)
    let meter = LoudnessMeter()
    _ = meter.take()
    var samples: [Float] = []
    for frame in 0..<rate / 2 {
      let sample = Float(amplitude * sin(2 * .pi * frequency * Double(frame) / Double(rate)))
      samples += [sample, sample]
    }
    // Blocks of any length.
    for start in stride(from: 0, to: samples.count, by: 2 * 777) {
      let end = min(samples.count, start + 2 * 777)
      meter.add(
        AudioBlock(
          format: format, captureTime: MonotonicTime(nanoseconds: 0), samples: Array(samples[start..<end])))
    }
    let found = meter.take()
    #expect(found.count == 25)
    return found.sorted().dropFirst(12).first
  }

  @Test(arguments: [300.0, 1000, 3000], [44_100, 48_000])
  func `a voice is as loud as it is`(frequency: Double, rate: Int) throws {
    let found = try #require(loudness(of: frequency, amplitude: 0.1, rate: rate))
    #expect(abs(found - -23) < 1.5)
  }

  @Test(arguments: [50.0, 60, 100])
  func `the hum of mains counts little`(frequency: Double) throws {
    let found = try #require(loudness(of: frequency, amplitude: 0.5))
    #expect(found < -9 - 20)
  }

  @Test func `nothing is kept before somebody asks, and no more than five seconds`() {
    let meter = LoudnessMeter()
    let second = AudioBlock(
      format: format, captureTime: MonotonicTime(nanoseconds: 0),
      samples: [Float](repeating: 0, count: 96_000))
    meter.add(second)
    #expect(meter.take() == [])
    for _ in 0..<7 { meter.add(second) }
    let found = meter.take()
    #expect(found.count == 250 && found.allSatisfy { $0 == -120 })
  }
}
