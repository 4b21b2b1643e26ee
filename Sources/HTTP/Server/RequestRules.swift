/// Rules for all requests, against forgery by foreign web pages and ambiguous requests.
struct RequestRules: Hashable, Sendable {
  /// Accepted host names besides literal addresses and `localhost`; nil accepts all (no browser can connect).
  var hosts: Set<String>?
  var scheme = "http"
  /// As browsers name it behind a proxy: `https://hub.example`.
  var publicOrigin: String?
  /// Paths whose bodies may be forms: programs that know nothing else send them.
  var formPaths: Set<String> = []
  var bodySize = HTTPLimits.unix.bodySize

  static let maxHeaders = 64
  static let longestTarget = 4096

  func refusal(of head: RequestHead) -> HTTPResponse? {
    ambiguity(of: head) ?? strangeTarget(of: head) ?? wrongHost(of: head) ?? crossOrigin(of: head)
      ?? wrongBody(of: head)
  }

  /// Headers that must not be repeated: a proxy may have believed the other one.
  private static let single: Set = [
    "host", "content-length", "transfer-encoding", "content-type", "authorization", "origin", "last-event-id",
    "holdfast-lease",
  ]

  private func ambiguity(of head: RequestHead) -> HTTPResponse? {
    guard head.headers.count <= Self.maxHeaders else {
      return .refused(431, "tooManyHeaders", "the request has more than \(Self.maxHeaders) headers")
    }
    for (index, header) in head.headers.enumerated() where Self.single.contains(header.name) {
      guard head.headers[..<index].contains(where: { $0.name == header.name }) else { continue }
      return .refused(400, "badRequest", "duplicate \(header.name) header")
    }
    if head["content-length"] != nil, head.isChunked {
      return .refused(400, "badRequest", "Content-Length and chunked encoding exclude each other")
    }
    if head["content-length"] != nil, !isNumber(head["content-length"] ?? "") {
      return .refused(400, "badRequest", "Content-Length is not a number")
    }
    if let encoding = head["transfer-encoding"], encoding.lowercased() != "chunked" {
      return .refused(400, "badRequest", "only the chunked Transfer-Encoding is supported")
    }
    return nil
  }

  private func isNumber(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 18 && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  private func strangeTarget(of head: RequestHead) -> HTTPResponse? {
    guard head.target.utf8.count <= Self.longestTarget else {
      return .refused(414, "tooLong", "the request's path is longer than \(Self.longestTarget) bytes")
    }
    guard head.target.hasPrefix("/"), head.target.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      return .refused(400, "badRequest", "invalid request path")
    }
    guard HTTPRequest.Query(head.query) != nil else {
      return .refused(400, "badRequest", "invalid query string")
    }
    return nil
  }

  /// Against DNS rebinding: a foreign page's name that resolves to us would share our origin.
  private func wrongHost(of head: RequestHead) -> HTTPResponse? {
    guard let hosts else { return nil }
    let name = head["host"].flatMap(Self.hostName)?.lowercased()
    if let name, name == "localhost" || hosts.contains(name) || Self.isAddress(name) { return nil }
    return .refused(
      403, "wrongHost", "unknown name in the Host header",
      hint: "use the address, localhost, or the name in --listen")
  }

  /// The host without its port; nil if the port is invalid.
  static func hostName(_ text: String) -> String? {
    let end = text.hasPrefix("[") ? text.firstIndex(of: "]").map { text.index(after: $0) } : nil
    let name = text[..<(end ?? text.firstIndex(of: ":") ?? text.endIndex)]
    let port = text[name.endIndex...]
    guard port.isEmpty || port.hasPrefix(":") && port.dropFirst().allSatisfy({ $0.isASCII && $0.isNumber })
    else { return nil }
    return String(name)
  }

  /// A literal address: `127.0.0.1`, `[::1]`.
  private static func isAddress(_ name: String) -> Bool {
    if name.hasPrefix("["), name.hasSuffix("]") {
      let digits = name.dropFirst().dropLast()
      return digits.contains(":")
        && digits.allSatisfy { $0.isHexDigit && $0.isASCII || $0 == ":" || $0 == "." }
    }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy {
        $0.utf8.count <= 3 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt8($0) != nil
      }
  }

  private func crossOrigin(of head: RequestHead) -> HTTPResponse? {
    func refusal() -> HTTPResponse { .refused(403, "crossOrigin", "cross-origin requests are not allowed") }
    if let origin = head["origin"] {
      let isOwn = head["host"].map { origin.lowercased() == "\(scheme)://\($0.lowercased())" } ?? false
      guard isOwn || origin.lowercased() == publicOrigin else { return refusal() }
    }
    switch head["sec-fetch-site"]?.lowercased() {
    case nil, "same-origin", "none": return nil
    default: return isFollowedLink(head) ? nil : refusal()
    }
  }

  /// A followed link, whose response no other page can read.
  private func isFollowedLink(_ head: RequestHead) -> Bool {
    head.method == "GET" && head["sec-fetch-mode"] == "navigate" && head["sec-fetch-dest"] == "document"
  }

  private func wrongBody(of head: RequestHead) -> HTTPResponse? {
    guard head.hasBody else { return nil }
    if head.contentLength ?? 0 > bodySize { return .tooLong(limit: bodySize) }
    let type = head["content-type"]?.prefix { $0 != ";" }.lowercased()
    if formPaths.contains(String(head.path)), type == "application/x-www-form-urlencoded" { return nil }
    guard let type, type.split(separator: " ") == ["application/json"] else {
      return .refused(
        415, "notJSON", "a request's body must be JSON", hint: "send it with Content-Type: application/json")
    }
    return nil
  }
}

extension HTTPResponse {
  /// Closes the connection, as the bytes that follow may belong to the same request.
  fileprivate static func refused(
    _ status: Int, _ code: String, _ message: String, hint: String? = nil
  ) -> HTTPResponse {
    var response = HTTPResponse(APIError(status, code, message, hint: hint))
    response.headers.append(("Connection", "close"))
    return response
  }

  static func tooLong(limit: Int) -> HTTPResponse {
    refused(413, "tooLong", "the request's body is longer than \(limit) bytes")
  }
}
