/// A number with a unit, as people write it.
struct Quantity {
  let number: Double
  let unit: Substring

  /// Parses digits with an optional decimal point, and a unit.
  init?(_ text: String) {
    let digits = text.prefix { ("0"..."9").contains($0) || $0 == "." }
    guard let first = digits.first, first != ".", digits.last != ".", digits.count <= 18,
      let number = Double(digits)
    else { return nil }
    self.number = number
    unit = text[digits.endIndex...]
  }
}

package enum Bitrate {
  private static let units: [Substring: Double] = ["": 1, "k": 1e3, "K": 1e3, "M": 1e6]

  /// Parses `2500k`, `2.5M` or `128000`.
  package static func read(_ text: String) -> Int? {
    guard let quantity = Quantity(text), let unit = units[quantity.unit] else { return nil }
    let rate = (quantity.number * unit).rounded()
    return rate < 1e15 ? Int(rate) : nil
  }

  package static func written(_ rate: Int) -> String { rate % 1000 == 0 ? "\(rate / 1000)k" : String(rate) }
}

/// Byte counts in binary units (1024).
package enum ByteCount {
  private static let units: [(name: String, shift: Int)] = [("T", 40), ("G", 30), ("M", 20), ("k", 10)]

  /// Parses `500M`, `1.5G`, `64k` or a number of bytes.
  package static func read(_ text: String) -> Int? {
    guard let quantity = Quantity(text) else { return nil }
    let unit = quantity.unit == "K" ? "k" : quantity.unit
    let shift = units.first { $0.name == unit }?.shift ?? (unit.isEmpty ? 0 : nil)
    guard let shift, case let bytes = quantity.number * Double(1 << shift), bytes < 1e18 else { return nil }
    return Int(bytes.rounded())
  }

  package static func written(_ bytes: Int) -> String {
    guard bytes > 0, let unit = units.first(where: { bytes % (1 << $0.shift) == 0 }) else {
      return String(bytes)
    }
    return "\(bytes >> unit.shift)\(unit.name)"
  }
}
