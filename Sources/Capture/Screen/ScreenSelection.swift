package import HoldfastMediaModel

/// The part of an X screen to capture: `screen[:DISPLAY][+X,Y,WIDTHxHEIGHT]`.
package struct ScreenSelection: Hashable, Sendable, CustomStringConvertible {
  /// A display as in `$DISPLAY`; nil for the one named there.
  package let display: String?
  /// Nil for the whole screen.
  package let area: PictureArea?

  package init(display: String? = nil, area: PictureArea? = nil) {
    self.display = display
    self.area = area
  }

  /// Nil for text that names no screen. The colon before a bare number may be left out: `screen:0`.
  package init?(_ text: String) {
    let prefix = "screen"
    guard text.hasPrefix(prefix) else { return nil }
    var rest = text.dropFirst(prefix.count)
    var area: PictureArea?
    if let plus = rest.lastIndex(of: "+") {
      guard let parsed = PictureArea(String(rest[rest.index(after: plus)...])) else { return nil }
      area = parsed
      rest = rest[..<plus]
    }
    guard !rest.isEmpty else {
      self.init(area: area)
      return
    }
    guard rest.first == ":" else { return nil }
    let name = String(rest.dropFirst())
    guard let display = [name, ":" + name].first(where: { XDisplayName($0) != nil }) else { return nil }
    self.init(display: display, area: area)
  }

  package var description: String {
    "screen" + (display.map { ":" + $0 } ?? "") + (area.map { "+\($0.written)" } ?? "")
  }
}

extension PictureArea {
  /// Parses `X,Y,WIDTHxHEIGHT`.
  init?(_ text: String) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, let x = Int(parts[0]), let y = Int(parts[1]), let size = PictureSize(parts[2]),
      Self.places.contains(x), Self.places.contains(y),
      Self.lengths.contains(size.width), Self.lengths.contains(size.height)
    else { return nil }
    self.init(x: x, y: y, size: size)
  }

  /// X counts pixels in 16 bits.
  private static let places = 0...65_535
  private static let lengths = 2...65_535

  var written: String { "\(x),\(y),\(size)" }

  /// The part that is on the screen, with even lengths; nil if nothing of it is.
  func clipped(to screen: PictureSize) -> PictureArea? {
    let width = min(size.width, screen.width - x) / 2 * 2
    let height = min(size.height, screen.height - y) / 2 * 2
    guard width > 0, height > 0 else { return nil }
    return PictureArea(x: x, y: y, size: PictureSize(width: width, height: height))
  }
}
