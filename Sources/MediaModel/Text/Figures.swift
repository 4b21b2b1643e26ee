/// Numbers as people read them.
package enum Figures {
  /// `2.48`: rounded to `places` decimals. A dash if not finite.
  package static func decimal(_ value: Double, places: Int) -> String {
    let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
    guard value.isFinite, abs(value) * scale < 1e15 else { return "–" }
    let scaled = Int64((abs(value) * scale).rounded())
    let sign = value < 0 && scaled != 0 ? "-" : ""
    guard places > 0 else { return sign + String(scaled) }
    let digits = String(scaled)
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    return sign + padded.dropLast(places) + "." + padded.suffix(places)
  }

  /// `187 MB`
  package static func bytes(_ count: Int64) -> String {
    let value = Double(count)
    if count < 1000 { return "\(count) B" }
    if value < 999_500 { return decimal(value / 1e3, places: 0) + " kB" }
    if value < 999_500_000 { return decimal(value / 1e6, places: value < 9_950_000 ? 1 : 0) + " MB" }
    return decimal(value / 1e9, places: 2) + " GB"
  }

  /// `2.48 Mb/s`
  package static func rate(_ bitsPerSecond: Double) -> String {
    bitsPerSecond < 999_500
      ? decimal(bitsPerSecond / 1e3, places: 0) + " kb/s" : decimal(bitsPerSecond / 1e6, places: 2) + " Mb/s"
  }

  /// `1 frame`, `2 frames`
  package static func count(_ count: Int, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
  }
}
