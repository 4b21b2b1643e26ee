package import HoldfastMediaModel

/// A listening address: `127.0.0.1:8080`, `[::1]:8080`, `studio.local:8080`; port 0 is any free one.
package struct HostAndPort: Hashable, Sendable, CustomStringConvertible {
  /// Without brackets.
  package let host: String
  package let port: UInt16

  package init(_ text: String) throws(InvalidValue) {
    guard let colon = text.lastIndex(of: ":") else {
      throw InvalidValue("\(text): the port is missing", hint: "write HOST:PORT, such as 127.0.0.1:8080")
    }
    var host = text[..<colon]
    let digits = text[text.index(after: colon)...]
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits)
    else {
      throw InvalidValue("\(text): \"\(digits)\" is not a port", hint: "use 0 to 65535")
    }
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      throw InvalidValue("\(text): an IPv6 address needs brackets", hint: "write [::1]:8080")
    }
    guard !host.isEmpty, host.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "/") })
    else {
      throw InvalidValue(
        "\(text): the host is missing", hint: "use 127.0.0.1 for this machine, 0.0.0.0 for all")
    }
    self.host = String(host)
    self.port = port
  }

  package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
