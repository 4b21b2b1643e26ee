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
