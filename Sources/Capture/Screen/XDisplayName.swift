/// The name of an X display, as in `$DISPLAY`: `[HOST]:NUMBER[.SCREEN]`.
struct XDisplayName: Hashable, Sendable, CustomStringConvertible {
  /// Nil for a socket of this machine.
  let host: String?
  let number: Int
  let screen: Int
  let description: String

  /// Nil if it is not a display's name.
  init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":") else { return nil }
    let numbers = text[text.index(after: colon)...].split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(numbers.count), let number = Self.number(numbers[0], upTo: Self.maxNumber),
      let screen = numbers.count == 1 ? 0 : Self.number(numbers[1], upTo: 255),
      let host = Self.host(text[..<colon])
    else { return nil }
    self.host = host.isEmpty ? nil : host
    self.number = number
    self.screen = screen
    description = text
  }

  /// The port of display N is 6000 + N.
  private static let firstPort = 6000
  private static let maxNumber = Int(UInt16.max) - firstPort

  var port: UInt16 { UInt16(Self.firstPort + number) }

  private static func number(_ text: Substring, upTo limit: Int) -> Int? {
    guard !text.isEmpty, text.allSatisfy({ ("0"..."9").contains($0) }), let number = Int(text),
      number <= limit
    else { return nil }
    return number
  }

  /// The host's name, empty for this machine; nil if it is not one.
  private static func host(_ text: Substring) -> String? {
    if text.isEmpty || text == "unix" { return "" }
    if text.hasPrefix("["), text.hasSuffix("]"), text.count > 2 { return String(text.dropFirst().dropLast()) }
    let isName = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
    return isName ? String(text) : nil
  }
}
