import HoldfastMediaModel

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
