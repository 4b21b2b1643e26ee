/// Keeps a sum of sounds below a true peak of -1 dB of full scale, without distortion: looks ahead, lowers the gain before
/// a peak, and raises it slowly behind. Sound that is always below passes unchanged. Delays by `latency`.
package struct PeakLimiter: Sendable {
  /// In frames.
  package let latency: Int

  private let channels: Int
  private let lookAhead: Int
  /// The share of the way back to full gain per frame.
  private let release: Double
  /// The frames whose gain is not yet known, then those that a new peak needs.
  private var delayed: [Float]
  private var needed: SlidingMinimum
  private var held = 1.0
  private var smooth: MovingAverage
  private var finder: PeakFinder

  /// -1 dB, and a margin for what lies between the points that are looked at.
  static let ceiling: Float = 0.86
  private static let lookAheadSeconds = 0.005
  private static let releaseSeconds = 0.2

  package init(channels: Int, sampleRate: Int) {
    self.channels = channels
    lookAhead = max(8, Int(Double(sampleRate) * Self.lookAheadSeconds))
    release = 1 / (Double(sampleRate) * Self.releaseSeconds)
    latency = lookAhead + PeakFinder.delay
    delayed = [Float](repeating: 0, count: latency * channels)
    needed = SlidingMinimum(length: lookAhead + 2)
    smooth = MovingAverage(length: lookAhead)
    finder = PeakFinder(channels: channels)
  }

  /// The interleaved samples that are `latency` frames older. What is no number is silence.
  package mutating func process(_ samples: [Float]) -> [Float] {
    delayed += samples.map { $0.isFinite ? $0 : 0 }
    let count = samples.count / channels
    if isAtRest {
      let result = Array(delayed.prefix(count * channels))
      delayed.removeFirst(count * channels)
      return result
    }
    var result = [Float](repeating: 0, count: count * channels)
    for frame in 0..<count {
      let newest = (frame + latency) * channels
      let peak = finder.peak(of: delayed, endingAt: newest)
      let gain = nextGain(peak > Self.ceiling ? Self.ceiling / peak : 1)
      for channel in 0..<channels {
        let sample = delayed[frame * channels + channel]
        result[frame * channels + channel] =
          gain == 1 ? sample : min(max(sample * gain, -Self.ceiling), Self.ceiling)
      }
    }
    delayed.removeFirst(count * channels)
    return result
  }

  /// The gain is full, and nothing that is known can lower it.
  private var isAtRest: Bool {
    guard held == 1, smooth.isFull else { return false }
    let limit = Self.ceiling / PeakFinder.maxOvershoot
    return !delayed.contains { abs($0) > limit }
  }

  private mutating func nextGain(_ wanted: Float) -> Float {
    let lowest = Double(needed.add(wanted))
    // The last small step is left out, so that the gain becomes 1 again.
    let raised = held + (1 - held) * release
    held = min(lowest, raised > 0.9999 ? 1 : raised)
    return smooth.add(Float(held))
  }
}

/// Finds the highest level around a frame, between the samples, too.
private struct PeakFinder: Sendable {
  /// How many frames the newest is ahead of the one that is looked at.
  static let delay = 6

  let channels: Int

  /// A windowed sinc for a quarter, a half and three quarters of the way from one sample to the next.
  private static let between: [[Float]] = {
    let quarter: [Float] = [
      -0.004880, 0.014720, -0.034301, 0.072402, -0.163447, 0.897775, 0.290084, -0.106084, 0.050049, -0.022933,
      0.008886, -0.002271,
    ]
    let half: [Float] = [
      -0.004844, 0.016329, -0.039836, 0.085150, -0.184445, 0.627646, 0.627646, -0.184445, 0.085150, -0.039836,
      0.016329, -0.004844,
    ]
    return [quarter, half, quarter.reversed()]
  }()
  /// Nothing between samples is higher than they are by more than this.
  static let maxOvershoot: Float = 1.92

  /// The highest level from the sixth to the fifth frame before the one at `index`.
  func peak(of samples: [Float], endingAt index: Int) -> Float {
    var peak: Float = 0
    for channel in 0..<channels {
      let last = index + channel
      let first = last - 11 * channels
      guard first >= 0 else { return 0 }
      var highest: Float = 0
      for place in stride(from: first, through: last, by: channels) {
        highest = max(highest, abs(samples[place]))
      }
      peak = max(peak, abs(samples[last - 5 * channels]), abs(samples[last - 6 * channels]))
      guard highest * Self.maxOvershoot > PeakLimiter.ceiling else { continue }
      for filter in Self.between {
        var level: Float = 0
        for tap in 0..<12 { level += filter[tap] * samples[first + tap * channels] }
        peak = max(peak, abs(level))
      }
    }
    return peak
  }
}

/// The lowest of the last values.
struct SlidingMinimum: Sendable {
  private let length: Int
  /// Values that may still become the lowest, rising, with the count at which each was added.
  private var candidates: [(count: Int, value: Float)] = []
  private var first = 0
  private var count = 0

  init(length: Int) { self.length = length }

  mutating func add(_ value: Float) -> Float {
    while candidates.count > first, let last = candidates.last, last.value >= value {
      candidates.removeLast()
    }
    candidates.append((count, value))
    count += 1
    if candidates[first].count + length < count { first += 1 }
    if first > length {
      candidates.removeFirst(first)
      first = 0
    }
    return candidates[first].value
  }
}

/// The average of the last values between 0 and 1, never above it, and exact for ever: counted in whole numbers.
struct MovingAverage: Sendable {
  private static let one = Float(1 << 24)
  private var values: [Int]
  private var sum: Int
  private var oldest = 0

  init(length: Int) {
    values = [Int](repeating: Int(Self.one), count: length)
    sum = length * Int(Self.one)
  }

  /// All values are 1.
  var isFull: Bool { sum == values.count * Int(Self.one) }

  mutating func add(_ value: Float) -> Float {
    let new = Int(value * Self.one)
    sum += new - values[oldest]
    values[oldest] = new
    oldest = (oldest + 1) % values.count
    return Float(sum / values.count) / Self.one
  }
}
