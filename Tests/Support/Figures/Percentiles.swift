import Foundation

package struct Percentiles: CustomStringConvertible {
  private let sorted: [Double]

  package init(_ values: [Double]) { sorted = values.sorted() }

  package func share(_ share: Double) -> Double {
    sorted.isEmpty ? .infinity : sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
  }

  package var median: Double {
    sorted.count.isMultiple(of: 2) && !sorted.isEmpty
      ? (sorted[sorted.count / 2 - 1] + sorted[sorted.count / 2]) / 2 : share(0.5)
  }

  package var lowest: Double { sorted.first ?? .infinity }
  package var highest: Double { sorted.last ?? .infinity }

  package var description: String {
    "p50 \(figure(share(0.5))), p95 \(figure(share(0.95))), p99 \(figure(share(0.99))), "
      + "at most \(figure(highest)) (\(sorted.count))"
  }
}

package func median(_ values: [Double]) -> Double { Percentiles(values).median }
