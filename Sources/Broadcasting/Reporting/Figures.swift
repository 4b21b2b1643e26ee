package enum Figures {
  /// `2.48`: rounded to `places` decimals. A dash if not finite.
  static func decimal(_ value: Double, places: Int) -> String {
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
  static func count(_ count: Int, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
  }
}

/// A level meter drawn with characters, from -60 dBFS to 0.
enum LevelMeter {
  static let maxCells = 16
  static let minCells = 6
  private static let floor = -60.0
  private static let eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

  /// `▕█████▎   │  ▏`: the level filled in eighths of a cell, the peak as a stroke where it is beyond the level.
  static func bar(level: Double, peak: Double?, cells: Int) -> String {
    let filled = Int((fraction(level) * Double(cells * 8)).rounded())
    var row = Array(repeating: "█", count: filled / 8)
    if filled % 8 > 0 { row.append(eighths[filled % 8]) }
    let rest = row.count
    row += Array(repeating: " ", count: cells - row.count)
    if let peak {
      let cell = min(cells - 1, Int(fraction(peak) * Double(cells)))
      if cell >= rest, fraction(peak) > 0 { row[cell] = "│" }
    }
    return "▕" + row.joined() + "▏"
  }

  /// `-18 dB`, padded to `width` so that the line does not shift.
  static func decibels(_ value: Double, width: Int = 3) -> String {
    let number = value > -100 ? Figures.decimal(min(value, 99), places: 0) : "-∞"
    return String(repeating: " ", count: max(0, width - number.count)) + number + " dB"
  }

  /// The position on the scale, 0 to 1; NaN counts as silence.
  private static func fraction(_ decibels: Double) -> Double {
    decibels > floor ? min(1, (decibels - floor) / -floor) : 0
  }
}
