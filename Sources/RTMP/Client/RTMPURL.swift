package import HoldfastMediaModel

/// An RTMP address: `rtmp://USER:PASSWORD@HOST:PORT/APP/KEY?QUERY`, or `rtmps://…`. APP may have parts.
package struct RTMPURL: Hashable, Sendable {
  package var isSecure: Bool
  package var host: String
  package var port: UInt16
  package var application: String
  /// The stream's key with its arguments.
  package var streamName: String
  package var user: String?
  package var password: String?

  package init(_ text: String) throws(URLProblem) {
    guard let scheme = text.firstRange(of: "://"),
      let isSecure = ["rtmp": false, "rtmps": true][text[..<scheme.lowerBound].lowercased()]
    else { throw .wrongScheme }
    self.isSecure = isSecure
    guard text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F }) else {
      throw .wrongCharacter
    }
    let rest = text[scheme.upperBound...]
    let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
    let authority = try URLAuthority(rest[..<end])
    user = try authority.user.map(Self.decoded)
    password = try authority.password.map(Self.decoded)
    host = authority.host
    port = authority.port ?? (isSecure ? 443 : 1935)
    (application, streamName) = try Self.path(rest[end...])
  }

  private static func decoded(_ text: Substring) throws(URLProblem) -> String {
    guard let bytes = text.percentDecoded(isLenient: false) else {
      throw .wrongPercent
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func path(_ text: Substring) throws(URLProblem) -> (application: String, name: String) {
    let queryStart = text.firstIndex(of: "?") ?? text.endIndex
    let query = text[queryStart...]
    let parts = text[..<queryStart].split(separator: "/")
    // Arguments before the key belong to the application: rtmp://host/app?token=1/key
    if parts.count == 1, let slash = query.lastIndex(of: "/"), query.index(after: slash) < query.endIndex {
      return (String(parts[0]) + String(query[..<slash]), String(query[query.index(after: slash)...]))
    }
    guard let key = parts.last, parts.count >= 2 else {
      throw .noKey
    }
    return (parts.dropLast().joined(separator: "/"), String(key) + String(query))
  }

  /// The address without the key.
  package var tcURL: String { "\(server)/\(application)" }

  /// The address without the key, the password and argument values.
  package var redacted: String {
    "\(server)/\(application.split(separator: "?", maxSplits: 1).first ?? "")/***"
  }

  private var server: String {
    let isUsual = port == (isSecure ? 443 : 1935)
    let name = host.contains(":") ? "[\(host)]" : host
    return "\(isSecure ? "rtmps" : "rtmp")://\(name)\(isUsual ? "" : ":\(port)")"
  }
}
