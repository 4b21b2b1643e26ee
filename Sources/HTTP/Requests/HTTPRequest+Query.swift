extension HTTPRequest {
  /// The query of a request's target: unescaped pairs, in order.
  package struct Query: Hashable, Sendable {
    package struct Pair: Hashable, Sendable {
      package let name: String
      package let value: String
    }

    package let pairs: [Pair]

    static let maxPairs = 32

    package subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

    /// Nil for too many pairs or an incomplete escape.
    package init?(_ text: some StringProtocol) {
      var pairs: [Pair] = []
      for part in text.utf8.split(separator: UInt8(ascii: "&")) {
        let halves = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        guard pairs.count < Self.maxPairs, let name = Self.unescaped(halves[0]),
          let value = halves.count == 2 ? Self.unescaped(halves[1]) : ""
        else { return nil }
        pairs.append(Pair(name: name, value: value))
      }
      self.pairs = pairs
    }

    private static func unescaped(_ text: some Collection<UInt8>) -> String? {
      var bytes: [UInt8] = []
      var rest = text.makeIterator()
      while let byte = rest.next() {
        switch byte {
        case UInt8(ascii: "%"):
          guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else {
            return nil
          }
          bytes.append(high << 4 | low)
        case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
        default: bytes.append(byte)
        }
      }
      return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
      default: nil
      }
    }
  }

}

extension HTTPRequest.Query: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, String)...) {
    pairs = elements.map { Pair(name: $0, value: $1) }
  }
}
