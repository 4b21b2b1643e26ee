package import HoldfastMediaModel

/// A listening address: `127.0.0.1:8080`, `[::1]:8080`, `studio.local:8080`; port 0 is any free one.
package struct ControlAddress: Hashable, Sendable {
  /// Without brackets.
  package let host: String
  package let port: UInt16

  package init(_ text: String) throws(InvalidValue) {
    guard let colon = text.lastIndex(of: ":") else {
      throw InvalidValue(
        "\(text): there is no port", hint: "write it as HOST:PORT, 127.0.0.1:8080")
    }
    var host = text[..<colon]
    let digits = text[text.index(after: colon)...]
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits)
    else {
      throw InvalidValue("\(text): \"\(digits)\" is no port", hint: "a port is 0 to 65535")
    }
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      throw InvalidValue(
        "\(text): it isn't clear where the port begins", hint: "write it as [::1]:8080")
    }
    guard !host.isEmpty, host.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "/") })
    else {
      throw InvalidValue(
        "\(text): there is no host", hint: "127.0.0.1 is this machine alone, 0.0.0.0 is everybody")
    }
    self.host = String(host)
    self.port = port
  }
}

extension ControlAddress: CustomStringConvertible {
  package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
