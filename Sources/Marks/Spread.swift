/// The middle and the ends of a handful of measurements, in milliseconds.
package struct Spread: Hashable, Sendable {
  package let median: Double
  package let minimum: Double
  package let maximum: Double

  /// Nil when nothing was measured.
  package init?(_ milliseconds: [Double]) {
    let sorted = milliseconds.sorted()
    guard let first = sorted.first, let last = sorted.last else { return nil }
    minimum = first
    maximum = last
    median = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }
}

extension Spread: CustomStringConvertible {
  package var description: String {
    "\(Self.text(median)) ms (\(Self.text(minimum)) to \(Self.text(maximum)))"
  }

  private static func text(_ milliseconds: Double) -> String {
    let hundredths = Int((milliseconds * 100).rounded())
    let (whole, rest) = hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
    return (hundredths < 0 ? "-" : "") + "\(whole).\(rest / 10)\(rest % 10)"
  }
}
