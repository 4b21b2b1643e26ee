import Foundation

/// The middle and the upper end of some milliseconds.
struct Percentiles: CustomStringConvertible {
  private let sorted: [Double]

  init(_ values: [Double]) {
    sorted = values.sorted()
  }

  private func at(_ share: Double) -> String {
    sorted.isEmpty
      ? "-" : String(format: "%.1f", sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))])
  }

  var description: String {
    "p50 \(at(0.5)), p95 \(at(0.95)), p99 \(at(0.99)), at most \(at(1)) ms (\(sorted.count))"
  }
}
