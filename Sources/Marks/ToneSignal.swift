package import HoldfastMediaModel

/// The test tone's signal: a quiet hum, and a beep at each whole second.
package struct ToneSignal: Sendable {
  private let sampleRate: Int
  private let beepLength: Int
  private let hum: [Float]
  private let beeps: [[Float]]

  package init(sampleRate: Int) {
    self.sampleRate = sampleRate
    beepLength = Int(SecondMark.length.ticks(timescale: sampleRate))
    hum = Self.tone(440, amplitude: Self.humAmplitude, count: sampleRate, sampleRate: sampleRate)
    beeps = SecondMark.pitches.map { [beepLength] pitch in
      Self.tone(pitch, amplitude: Self.beepAmplitude, count: beepLength, sampleRate: sampleRate)
    }
  }

  /// -30 and -8 dBFS.
  private static let humAmplitude = 0.0316
  private static let beepAmplitude = 0.398

  /// The sample at an index counted from the monotonic clock's zero.
  package func sample(_ index: Int64) -> Float {
    let (second, position) = index.quotientAndRemainder(dividingBy: Int64(sampleRate))
    guard position < beepLength else { return hum[Int(position)] }
    return beeps[SecondMark.pitch(ofSecond: second)][Int(position)]
  }

  /// Interleaved, the same in each channel.
  package func samples(_ range: Range<Int64>, channels: Int) -> [Float] {
    range.flatMap { repeatElement(sample($0), count: channels) }
  }

  private static func tone(_ hertz: Int, amplitude: Double, count: Int, sampleRate: Int) -> [Float] {
    (0..<count).map { Float(amplitude * sine(turns: Double(hertz * $0) / Double(sampleRate))) }
  }
}

/// The flash and beep at each whole second of the monotonic clock. The pitch encodes the second modulo 8, so
/// that A/V offsets up to 4 s are measurable.
package enum SecondMark {
  package static let length = MediaTime.milliseconds(100)

  /// In hertz; whole cycles in 10 ms, so beeps start at zero crossings and a 10 ms window separates them.
  package static let pitches = [1000, 1100, 1200, 1300, 1400, 1500, 1600, 1700]

  /// The pitch index of a second of the monotonic clock.
  package static func pitch(ofSecond second: Int64) -> Int { Int(second % Int64(pitches.count)) }

  package static func isFlashing(at instant: MonotonicTime) -> Bool {
    instant.nanoseconds % 1_000_000_000 < length.nanoseconds
  }

  /// The second with this pitch nearest to `instant`.
  static func second(ofPitch pitch: Int, near instant: MonotonicTime) -> MonotonicTime {
    let cycle = Int64(pitches.count) * 1_000_000_000
    let offset = Int64(pitch) * 1_000_000_000
    let cycles = Double(instant.nanoseconds - offset) / Double(cycle)
    return MonotonicTime(nanoseconds: Int64(cycles.rounded()) * cycle + offset)
  }
}

/// The sine to nine digits, without the C library.
package func sine(turns: Double) -> Double {
  let rest = turns - turns.rounded()
  let quarter = rest > 0.25 ? 0.5 - rest : rest < -0.25 ? -0.5 - rest : rest
  let angle = quarter * 2 * .pi
  let square = angle * angle
  var term = angle
  var sum = angle
  for degree in stride(from: 3.0, through: 13, by: 2) {
    term *= -square / (degree * (degree - 1))
    sum += term
  }
  return sum
}

func cosine(turns: Double) -> Double { sine(turns: turns + 0.25) }
