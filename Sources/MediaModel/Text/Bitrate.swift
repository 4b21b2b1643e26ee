package enum Bitrate {
  /// Parses `2500k`, `2.5M` or `128000`.
  package static func read(_ text: String) -> Int? {
    guard let quantity = Quantity(text) else { return nil }
    let unit: Double
    switch quantity.unit {
    case "": unit = 1
    case "k", "K": unit = 1e3
    case "M": unit = 1e6
    default: return nil
    }
    let rate = (quantity.number * unit).rounded()
    return rate < 1e15 ? Int(rate) : nil
  }

  package static func written(_ rate: Int) -> String {
    rate % 1000 == 0 ? "\(rate / 1000)k" : String(rate)
  }
}
