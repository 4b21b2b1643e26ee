/// An address of RTMP: `rtmp://USER:PASSWORD@HOST:PORT/APP/KEY?QUERY`, or `rtmps://…` through TLS.
///
/// The last part of the path is the stream's key, what stands before it the application, which may have parts, too.
package struct RTMPURL: Hashable, Sendable {
  package var isSecure: Bool
  package var host: String
  package var port: UInt16
  package var application: String
  /// The stream's key with its arguments, as the server is told.
  package var streamName: String
  package var user: String?
  package var password: String?

  package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
  }

  package init(_ text: String) throws(Problem) {
    guard let scheme = text.range(of: "://") else { throw Problem(description: "an address without ://") }
    switch text[..<scheme.lowerBound].lowercased() {
    case "rtmp": isSecure = false
    case "rtmps": isSecure = true
    default: throw Problem(description: "not an address of RTMP")
    }
    guard text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F }) else {
      throw Problem(description: "an address with a space or a control character")
    }
    let rest = text[scheme.upperBound...]
    let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
    let authority = try Authority(rest[..<end])
    host = authority.host
    port = authority.port ?? (isSecure ? 443 : 1935)
    user = authority.user
    password = authority.password
    (application, streamName) = try Self.path(rest[end...])
  }

  private static func path(_ text: Substring) throws(Problem) -> (application: String, name: String) {
    let queryStart = text.firstIndex(of: "?") ?? text.endIndex
    let query = text[queryStart...]
    let parts = text[..<queryStart].split(separator: "/")
    // Arguments in the middle belong to the application: rtmp://host/app?token=1/key
    if parts.count == 1, let slash = query.lastIndex(of: "/"), query.index(after: slash) < query.endIndex {
      return (String(parts[0]) + String(query[..<slash]), String(query[query.index(after: slash)...]))
    }
    guard let key = parts.last, parts.count >= 2 else {
      throw Problem(description: "an address without an application and a key")
    }
    return (parts.dropLast().joined(separator: "/"), String(key) + String(query))
  }

  /// The server's address without the key, as the server is told.
  package var tcURL: String {
    let isUsual = port == (isSecure ? 443 : 1935)
    return "\(isSecure ? "rtmps" : "rtmp")://\(writtenHost)\(isUsual ? "" : ":\(port)")/\(application)"
  }

  /// As it may be shown: without the key, the password and the values of arguments.
  package var redacted: String {
    let path = application.split(separator: "?", maxSplits: 1).first.map(String.init) ?? ""
    let isUsual = port == (isSecure ? 443 : 1935)
    return "\(isSecure ? "rtmps" : "rtmp")://\(writtenHost)\(isUsual ? "" : ":\(port)")/\(path)/***"
  }

  private var writtenHost: String { host.contains(":") ? "[\(host)]" : host }
}

/// The part of an address between `://` and the path.
private struct Authority {
  var host = ""
  var port: UInt16?
  var user: String?
  var password: String?

  init(_ text: Substring) throws(RTMPURL.Problem) {
    var place = text
    if let at = text.lastIndex(of: "@") {
      let parts = text[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      user = try Self.decoded(parts[0])
      password = parts.count == 2 ? try Self.decoded(parts[1]) : nil
      place = text[text.index(after: at)...]
    }
    var portText: Substring?
    if place.hasPrefix("[") {
      guard let close = place.firstIndex(of: "]") else {
        throw RTMPURL.Problem(description: "an IPv6 address without its ]")
      }
      host = String(place[place.index(after: place.startIndex)..<close])
      let behind = place[place.index(after: close)...]
      guard behind.isEmpty || behind.hasPrefix(":") else {
        throw RTMPURL.Problem(description: "something between the host and its port")
      }
      if !behind.isEmpty { portText = behind.dropFirst() }
    } else {
      let parts = place.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count <= 2 else {
        throw RTMPURL.Problem(description: "a host with more than one colon; an IPv6 address stands in [ ]")
      }
      host = String(parts[0])
      if parts.count == 2 { portText = parts[1] }
    }
    guard !host.isEmpty else { throw RTMPURL.Problem(description: "an address without a host") }
    guard let portText else { return }
    guard portText.allSatisfy(\.isNumber), let number = UInt16(portText), number > 0 else {
      throw RTMPURL.Problem(description: "a port that is not a number from 1 to 65535")
    }
    port = number
  }

  /// `%40` is `@`, and so on.
  private static func decoded(_ text: Substring) throws(RTMPURL.Problem) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      guard digits.count == 2, digits.allSatisfy(\.isHexDigit), let value = UInt8(digits, radix: 16) else {
        throw RTMPURL.Problem(description: "a % that is not followed by two hexadecimal digits")
      }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension String {
  fileprivate func range(of text: String) -> Range<String.Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}
