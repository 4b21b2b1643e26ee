import HoldfastMediaModel

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
      let spaced = text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
      let bytes = Substring(decoding: spaced, as: UTF8.self).percentDecoded(isLenient: false)
      return bytes.flatMap { String(validating: $0, as: UTF8.self) }
    }
  }
}

extension HTTPRequest.Query: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, String)...) {
    pairs = elements.map { Pair(name: $0, value: $1) }
  }
}
