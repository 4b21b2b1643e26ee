/// A level meter drawn with characters, from -60 dBFS to 0.
enum LevelMeter {
  static let maxCells = 16
  static let fewestCells = 6
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

  /// `-18 dB`, its number at least `width` wide, so that the line stands still.
  static func decibels(_ value: Double, width: Int = 3) -> String {
    let number = value > -100 ? Figures.decimal(min(value, 99), places: 0) : "-∞"
    return String(repeating: " ", count: max(0, width - number.count)) + number + " dB"
  }

  /// Where on the scale, from 0 to 1. What is no number is silence.
  private static func fraction(_ decibels: Double) -> Double {
    decibels > floor ? min(1, (decibels - floor) / -floor) : 0
  }
}
