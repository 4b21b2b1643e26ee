import Foundation

package struct Percentiles: CustomStringConvertible {
  private let sorted: [Double]

  package init(_ values: [Double]) { sorted = values.sorted() }

  private func at(_ share: Double) -> Double {
    sorted.isEmpty ? .infinity : sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
  }

  package func share(_ share: Double) -> Double { at(share) }

  package var median: Double {
    sorted.count.isMultiple(of: 2) && !sorted.isEmpty
      ? (sorted[sorted.count / 2 - 1] + sorted[sorted.count / 2]) / 2 : at(0.5)
  }

  package var lowest: Double { sorted.first ?? .infinity }
  package var highest: Double { sorted.last ?? .infinity }

  package var description: String {
    "p50 \(figure(at(0.5))), p95 \(figure(at(0.95))), p99 \(figure(at(0.99))), at most \(figure(highest)) "
      + "(\(sorted.count))"
  }
}

package func median(_ values: [Double]) -> Double { Percentiles(values).median }

package func figure(_ value: Double, _ places: Int = 1) -> String { String(format: "%.\(places)f", value) }

package func padded(_ text: String, _ width: Int) -> String {
  text.padding(toLength: max(width, text.count), withPad: " ", startingAt: 0)
}
