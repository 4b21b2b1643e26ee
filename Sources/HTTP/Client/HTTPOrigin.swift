package import HoldfastMediaModel
import HoldfastPlatform

/// The server of an address: its scheme, host and port.
package struct HTTPOrigin: Hashable, Sendable, CustomStringConvertible {
  package let isSecure: Bool
  /// In lower case, without an IPv6 address's brackets.
  package let host: String
  package let port: UInt16
  /// Whether requests may leave this machine without TLS.
  package let isInsecureLAN: Bool
}

extension HTTPOrigin {
  /// Parses `https://HOST[:PORT]`, with or without a final slash. `http` is for this machine only, unless `insecureLAN`.
  package init(_ text: String, insecureLAN: Bool = false) throws(InvalidValue) {
    let (origin, rest) = try Self.split(text, insecureLAN: insecureLAN)
    guard rest.isEmpty || rest == "/" else {
      throw InvalidValue("the address has a path", hint: "write \(origin)")
    }
    self = origin
  }

  /// The server, and the rest of the address from its slash.
  static func split(
    _ text: String, insecureLAN: Bool
  ) throws(InvalidValue) -> (origin: HTTPOrigin, rest: Substring) {
    guard let scheme = text.firstRange(of: "://"),
      let isSecure = ["https": true, "http": false][text[..<scheme.lowerBound].lowercased()]
    else { throw InvalidValue("not an https address", hint: "write https://HOST or https://HOST:PORT") }
    guard text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.isPrintable }) else {
      throw InvalidValue("the address has a space or an unprintable character", hint: "write a space as %20")
    }
    guard !text.contains("?"), !text.contains("#") else {
      throw InvalidValue(
        "the address has a query or a fragment", hint: "leave it out, or write ? as %3F and # as %23")
    }
    let rest = text[scheme.upperBound...]
    let end = rest.firstIndex(of: "/") ?? rest.endIndex
    let authority = try mapError(URLAuthority(rest[..<end])) { (error: URLProblem) in
      InvalidValue("\(error)", hint: "write https://HOST or https://HOST:PORT")
    }
    guard authority.user == nil else {
      throw InvalidValue("the address has a user name or a password", hint: "leave it out; use a token")
    }
    guard authority.host.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw InvalidValue("the host has letters beyond ASCII", hint: "write its name as xn--…")
    }
    let origin = HTTPOrigin(
      isSecure: isSecure, host: authority.host.lowercased(), port: authority.port ?? (isSecure ? 443 : 80),
      isInsecureLAN: insecureLAN)
    guard isSecure || insecureLAN || origin.isLoopback else {
      throw InvalidValue(
        "http to another machine is not encrypted: tokens and keys could be read on the way",
        hint: "use https, or --insecure-lan on a network that you trust")
    }
    return (origin, rest[end...])
  }

  /// By its address, or as localhost.
  package var isLoopback: Bool {
    host == "localhost" || SocketAddress(literal: host, port: port)?.isLoopback == true
  }

  /// As in a Host header: without the scheme's own port.
  package var authority: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
  }

  package var description: String { "\(isSecure ? "https" : "http")://\(authority)" }
}
