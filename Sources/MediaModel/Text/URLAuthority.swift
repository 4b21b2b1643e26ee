/// Why a text is not the URL of a server.
package enum URLProblem: Error, Hashable, Sendable, CustomStringConvertible {
  case wrongScheme, wrongCharacter, wrongPercent, unclosedBracket, textBeforePort, severalColons, noHost
  case wrongPort, noKey

  package var description: String {
    switch self {
    case .wrongScheme: "an address of another kind"
    case .wrongCharacter: "an address with a space (write %20) or a control character"
    case .wrongPercent: "a % that is not followed by two hexadecimal digits"
    case .unclosedBracket: "an IPv6 address without its ]"
    case .textBeforePort: "text between the host and its port"
    case .severalColons: "a host with more than one colon; write an IPv6 address in [ ]"
    case .noHost: "an address without a host"
    case .wrongPort: "a port that is not a number from 1 to 65535"
    case .noKey: "an address without an application and a key"
    }
  }
}

/// A URL's authority, `USER:PASSWORD@HOST:PORT`, percent-encoded.
package struct URLAuthority: Hashable, Sendable {
  package let user: Substring?
  package let password: Substring?
  /// Without an IPv6 address's brackets.
  package let host: String
  package let port: UInt16?

  package init(_ text: Substring) throws(URLProblem) {
    let at = text.lastIndex(of: "@")
    let credentials = at.map {
      text[..<$0].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    }
    user = credentials?.first
    password = credentials?.dropFirst().first
    var rest = at.map { text[$0...].dropFirst() } ?? text
    if rest.hasPrefix("[") {
      guard let end = rest.firstIndex(of: "]") else { throw .unclosedBracket }
      host = String(rest[..<end].dropFirst())
      rest = rest[end...].dropFirst()
      guard rest.isEmpty || rest.hasPrefix(":") else { throw .textBeforePort }
    } else {
      host = String(rest.prefix { $0 != ":" })
      rest = rest.drop { $0 != ":" }
      guard !rest.dropFirst().contains(":") else { throw .severalColons }
    }
    guard !host.isEmpty else { throw .noHost }
    let digits = rest.dropFirst()
    port = digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt16(digits) : nil
    guard rest.isEmpty || port ?? 0 > 0 else { throw .wrongPort }
  }
}

extension Substring {
  /// Decodes `%XX`. Keeps a `%` without two digits if `isLenient`; otherwise returns nil.
  package func percentDecoded(isLenient: Bool) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = utf8
    while let byte = rest.popFirst() {
      let digits = Substring(rest.prefix(2))
      if byte == UInt8(ascii: "%"), digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit),
        let value = UInt8(digits, radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else if isLenient || byte != UInt8(ascii: "%") {
        bytes.append(byte)
      } else {
        return nil
      }
    }
    return bytes
  }
}
