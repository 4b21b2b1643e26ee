import Foundation

/// The middle, the twentieth part at the upper end, and the end of some measurements.
struct Percentiles: CustomStringConvertible {
  let count: Int
  let median: Double
  let high: Double
  let highest: Double

  init(_ values: [Double]) {
    let sorted = values.sorted()
    func at(_ share: Double) -> Double {
      sorted.isEmpty ? .infinity : sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
    }
    (count, median, high, highest) = (sorted.count, at(0.5), at(0.95), sorted.last ?? .infinity)
  }

  var description: String {
    "median \(figure(median)), 95 % within \(figure(high)), at most \(figure(highest)) (\(count))"
  }
}

func figure(_ value: Double, _ places: Int = 1) -> String { String(format: "%.\(places)f", value) }
