package import HoldfastMediaModel

/// An address with one name on a server: `https://HOST[:PORT]/NAME`.
package struct HTTPAddress: Hashable, Sendable, CustomStringConvertible {
  package let origin: HTTPOrigin
  /// Decoded; not empty.
  package let name: String

  package init(origin: HTTPOrigin, name: String) {
    self.origin = origin
    self.name = name
  }

  /// The name is percent-encoded UTF-8, with or without a final slash; letters beyond ASCII may stand for themselves.
  package init(_ text: String, insecureLAN: Bool = false) throws(InvalidValue) {
    let (origin, rest) = try HTTPOrigin.split(text, insecureLAN: insecureLAN)
    let segment = rest.dropFirst()
    let encoded = segment.hasSuffix("/") ? segment.dropLast() : segment
    guard !encoded.isEmpty else {
      throw InvalidValue("the address has no name after the host", hint: "write \(origin)/NAME")
    }
    guard !encoded.contains("/") else {
      throw InvalidValue("the address has more than one name after the host", hint: "write \(origin)/NAME")
    }
    guard let bytes = encoded.percentDecoded(isLenient: false) else {
      throw InvalidValue("\(URLProblem.wrongPercent)", hint: "write a % of the name as %25")
    }
    guard let name = String(validating: bytes, as: UTF8.self) else {
      throw InvalidValue("the name is not UTF-8", hint: "encode it as UTF-8 before its percent signs")
    }
    self.init(origin: origin, name: name)
  }

  /// The name as one segment of a path, percent-encoded.
  package var segment: String { name.percentEncoded }

  package var description: String { "\(origin)/\(segment)" }
}

extension String {
  /// As one segment of a path.
  package var percentEncoded: String {
    utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        String(Unicode.Scalar(byte))
      default:
        "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }.joined()
  }
}
