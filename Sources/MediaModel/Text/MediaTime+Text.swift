extension MediaTime {
  private static let units: [Substring: Double] = [
    "": 1, "s": 1, "ms": 0.001, "m": 60, "h": 3600, "d": 86_400,
  ]
  private static let longestWritten = MediaTime.seconds(366 * 86400)

  /// Parses `90`, `1.5s`, `250ms`, `10m`, `2h` or `7d`; at most a year.
  package init?(written text: String) {
    guard let quantity = Quantity(text), let unit = Self.units[quantity.unit] else { return nil }
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
