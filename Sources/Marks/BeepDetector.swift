package import HoldfastMediaModel

package struct Beep: Hashable, Sendable {
  package let onset: MediaTime
  /// The index into `SecondMark.pitches`.
  package let pitch: Int
}

/// Finds the test tone's beeps in mono sound, even after lossy coding.
///
/// The onset is where a 10 ms window's amplitude at the beep's pitch reaches half its plateau. Incomplete
/// beeps are ignored, as their onset may be wrong.
package struct BeepDetector: Sendable {
  private let sampleRate: Int
  private let start: MediaTime
  /// The recent samples; `forgotten` counts those before them.
  private var samples: [Float] = []
  private var forgotten: Int64 = 0
  /// The search position in `samples`.
  private var cursor: Int

  /// `start` is the time of the first sample; a gap requires a new detector.
  package init(sampleRate: Int, start: MediaTime = .zero) {
    self.sampleRate = sampleRate
    self.start = start
    cursor = Self.count(Self.lookBehind, sampleRate)
  }

  /// Returns the beeps found in the first of so many channels, with a delay of about 150 ms.
  package mutating func process(_ block: [Float], channels: Int = 1) -> [Beep] {
    guard sampleRate >= Self.lowestRate else { return [] }
    samples += stride(from: 0, to: block.count, by: channels).map { block[$0] }
    var beeps: [Beep] = []
    while cursor + count(Self.lookAhead) <= samples.count {
      if isRise(at: cursor), let beep = beep(near: cursor) {
        beeps.append(beep)
        cursor += count(100)
      } else {
        cursor += count(5)
      }
    }
    forget()
    return beeps
  }

  /// Enough for the highest pitch.
  private static let lowestRate = 4000

  // In milliseconds.
  private static let lookBehind = 20
  private static let lookAhead = 160
  private static let length = 100.0
  private static let lengthTolerance = 5.0

  /// Between the amplitudes of beep and hum.
  private static let quietestBeep = 0.08

  private static func count(_ milliseconds: Int, _ sampleRate: Int) -> Int {
    milliseconds * sampleRate / 1000
  }
  private func count(_ milliseconds: Int) -> Int { Self.count(milliseconds, sampleRate) }

  private mutating func forget() {
    let spare = cursor - count(Self.lookBehind)
    guard spare > sampleRate else { return }
    samples.removeFirst(spare)
    cursor -= spare
    forgotten += Int64(spare)
  }

  private func isRise(at index: Int) -> Bool {
    let before = power(index - count(10)..<index)
    let after = power(index..<index + count(10))
    return after > 4 * before && after > Self.quietestBeep * Self.quietestBeep / 8
  }

  private func beep(near index: Int) -> Beep? {
    let middle = index + count(25)..<index + count(85)
    let levels = SecondMark.pitches.map { level(of: $0, in: middle) }
    let plateau = levels.max() ?? 0
    guard let pitch = levels.firstIndex(of: plateau), plateau >= Self.quietestBeep,
      plateau * plateau / 2 > power(middle) / 2
    else { return nil }
    let hertz = SecondMark.pitches[pitch]
    guard
      let rise = crossing(of: plateau / 2, hertz, from: index - count(10), through: index + count(25)),
      let fall = crossing(
        of: plateau / 2, hertz, from: Int(rise) + count(125), through: Int(rise) + count(70)),
      abs((fall - rise) * 1000 / Double(sampleRate) - Self.length) <= Self.lengthTolerance
    else { return nil }
    return Beep(onset: time(ofSample: rise), pitch: pitch)
  }

  /// Where the level of `hertz` rises to `threshold`; searches backwards for the end of a beep.
  private func crossing(of threshold: Double, _ hertz: Int, from: Int, through: Int) -> Double? {
    let step = max(1, count(1)) * (from < through ? 1 : -1)
    var last = level(of: hertz, around: from)
    guard last < threshold else { return nil }
    for index in stride(from: from + step, through: through, by: step) {
      let now = level(of: hertz, around: index)
      if now >= threshold {
        return Double(index) - Double(step) * (now - threshold) / (now - last)
      }
      last = now
    }
    return nil
  }

  private func time(ofSample index: Double) -> MediaTime {
    let whole = index.rounded(.down)
    return start + MediaTime(ticks: forgotten + Int64(whole), timescale: sampleRate)
      + MediaTime(seconds: (index - whole) / Double(sampleRate))
  }

  private func level(of hertz: Int, around index: Int) -> Double {
    let half = sampleRate / 200
    return level(of: hertz, in: index - half..<index + half)
  }

  /// The amplitude of a frequency (Goertzel).
  private func level(of hertz: Int, in range: Range<Int>) -> Double {
    let coefficient = 2 * cosine(turns: Double(hertz) / Double(sampleRate))
    var last = 0.0
    var beforeLast = 0.0
    for index in range {
      (last, beforeLast) = (Double(samples[index]) + coefficient * last - beforeLast, last)
    }
    let square = last * last + beforeLast * beforeLast - coefficient * last * beforeLast
    return 2 * max(0, square).squareRoot() / Double(range.count)
  }

  private func power(_ range: Range<Int>) -> Double {
    var sum = 0.0
    for index in range { sum += Double(samples[index]) * Double(samples[index]) }
    return sum / Double(range.count)
  }
}
