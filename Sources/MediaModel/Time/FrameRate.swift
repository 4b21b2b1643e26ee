/// Frames per second as a fraction: 29.97 is exactly 30000/1001.
package struct FrameRate: Hashable, Sendable, CustomStringConvertible {
  package let numerator: Int
  package let denominator: Int

  /// Nil unless both parts are positive and, once reduced, in range.
  package init?(numerator: Int, denominator: Int) {
    guard numerator > 0, denominator > 0 else { return nil }
    let divisor = Self.greatestCommonDivisor(numerator, denominator)
    guard max(numerator, denominator) / divisor <= Self.largestPart else { return nil }
    self.numerator = numerator / divisor
    self.denominator = denominator / divisor
  }

  /// Fits into 32 bits.
  private static let largestPart = 1_000_000_000

  private init(whole: Int) {
    numerator = whole
    denominator = 1
  }

  package static let thirty = FrameRate(whole: 30)

  /// Parses `30`, `29.97`, `59.94`, `23.976`, `12.5` or `30000/1001`.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count == 2, let numerator = Int(parts[0]), let denominator = Int(parts[1]) {
      self.init(numerator: numerator, denominator: denominator)
      return
    }
    guard parts.count == 1, let rate = Double(text), rate.isFinite, rate > 0, rate <= 1000 else { return nil }
    let broadcast = (rate * 1001 / 1000).rounded()
    if rate != rate.rounded(), abs(broadcast * 1000 / 1001 - rate) < 0.005 {
      self.init(numerator: Int(broadcast) * 1000, denominator: 1001)
    } else {
      self.init(numerator: Int((rate * 1000).rounded()), denominator: 1000)
    }
  }

  package var framesPerSecond: Double { Double(numerator) / Double(denominator) }

  /// The time of frame `number` at a constant rate.
  package func time(ofFrame number: Int64) -> MediaTime {
    MediaTime(ticks: number * Int64(denominator), timescale: numerator)
  }

  package var frameDuration: MediaTime { time(ofFrame: 1) }

  private static func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
    b == 0 ? a : greatestCommonDivisor(b, a % b)
  }

  package var description: String {
    guard denominator != 1 else { return String(numerator) }
    let hundredths = Int((framesPerSecond * 100).rounded())
    return "\(hundredths / 100).\(hundredths % 100 / 10)\(hundredths % 10)"
  }
}
