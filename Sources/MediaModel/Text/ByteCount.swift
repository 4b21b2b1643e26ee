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
