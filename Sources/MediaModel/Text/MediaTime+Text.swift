extension MediaTime {
  private static let longestWritten = MediaTime.seconds(366 * 86400)

  /// Parses `90`, `1.5s`, `250ms`, `10m`, `2h` or `7d`; at most a year.
  package init?(written text: String) {
    guard let quantity = Quantity(text) else { return nil }
    let unit: Double
    switch quantity.unit {
    case "", "s": unit = 1
    case "ms": unit = 0.001
    case "m": unit = 60
    case "h": unit = 3600
    case "d": unit = 86_400
    default: return nil
    }
    let seconds = quantity.number * unit
    guard seconds <= Self.longestWritten.seconds else { return nil }
    self.init(seconds: seconds)
  }

  /// Such as `2s` or `250ms`.
  package var written: String {
    let milliseconds = ticks(timescale: 1000)
    return milliseconds % 1000 == 0 ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
  }
}
