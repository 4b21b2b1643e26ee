internal import HoldfastMediaModel

/// The test tone as numbers: a quiet hum, and at each whole second a beep.
package struct ToneSignal: Sendable {
  private let sampleRate: Int
  private let beepLength: Int
  /// One second.
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

  /// -30 and -8 dB of full scale.
  private static let humAmplitude = 0.0316
  private static let beepAmplitude = 0.398

  /// The sample that sounds `index` samples after the monotonic clock's zero.
  package func sample(_ index: Int64) -> Float {
    let (second, position) = index.quotientAndRemainder(dividingBy: Int64(sampleRate))
    guard position < beepLength else { return hum[Int(position)] }
    return beeps[SecondMark.pitch(ofSecond: second)][Int(position)]
  }

  private static func tone(_ hertz: Int, amplitude: Double, count: Int, sampleRate: Int) -> [Float] {
    (0..<count).map { Float(amplitude * sine(turns: Double(hertz * $0) / Double(sampleRate))) }
  }
}
