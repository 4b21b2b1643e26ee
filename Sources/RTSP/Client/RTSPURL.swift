package import HoldfastMediaModel

/// An RTSP address: `rtsp://[user:password@]host[:port]/path[?query]`, or `rtsps://` with TLS.
package struct RTSPURL: Hashable, Sendable {
  package let isSecure: Bool
  /// Without an IPv6 address' brackets.
  package let host: String
  package let port: UInt16
  /// With the leading slash and the query.
  package let path: String
  package var user: String?
  package var password: String?

  package init(_ text: String) throws(URLProblem) {
    guard let colon = text.firstRange(of: "://"),
      let isSecure = ["rtsp": false, "rtsps": true][text[..<colon.lowerBound].lowercased()]
    else { throw .wrongScheme }
    self.isSecure = isSecure
    // Either would end the request line.
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { throw .wrongCharacter }
    let rest = text[colon.upperBound...]
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    path = Self.path(rest[authority.endIndex...])
    let place = try URLAuthority(authority)
    user = place.user.map(Self.decoded)
    password = place.password.map(Self.decoded)
    host = place.host
    port = place.port ?? (isSecure ? 322 : 554)
  }

  /// The address in requests, without credentials.
  package var requestURI: String { "\(scheme)://\(authority)\(path)" }

  /// The address without credentials and path, of which each part may be a key.
  package var redacted: String { "\(scheme)://\(authority)/***" }

  private var scheme: String { isSecure ? "rtsps" : "rtsp" }

  private var authority: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == (isSecure ? 322 : 554) ? name : "\(name):\(port)"
  }

  private static func path(_ text: Substring) -> String {
    var result = text.hasPrefix("/") ? "" : "/"
    for byte in text.utf8 {
      if byte < 0x80 {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        result += "%" + String(byte, radix: 16, uppercase: true)
      }
    }
    return result
  }

  private static func decoded(_ text: Substring) -> String {
    String(decoding: text.percentDecoded(isLenient: true) ?? [], as: UTF8.self)
  }
}
