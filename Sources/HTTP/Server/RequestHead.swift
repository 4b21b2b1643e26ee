/// A request before its body: request line and headers, as sent.
struct RequestHead {
  struct Header: Hashable {
    /// In lower case.
    let name: String
    let value: String

    init(name: String, value: String) {
      self.name = name.utf8.contains(where: { (0x41...0x5A).contains($0) }) ? name.lowercased() : name
      self.value = value
    }
  }

  let method: String
  let target: String
  let headers: [Header]

  /// All values of a header; `name` must be lowercase.
  func values(_ name: String) -> [String] { headers.filter { $0.name == name }.map(\.value) }

  subscript(name: String) -> String? { headers.first { $0.name == name }?.value }

  var path: Substring { target.prefix { $0 != "?" } }
  var query: Substring { target.drop { $0 != "?" }.dropFirst() }

  /// The token of a Bearer header; empty for any other authorization, nil without one.
  var bearer: String? {
    guard let text = self["authorization"] else { return nil }
    let words = text.split(separator: " ", omittingEmptySubsequences: true)
    guard words.count == 2, words[0].lowercased() == "bearer" else { return "" }
    return String(words[1])
  }

  var contentLength: Int? { self["content-length"].flatMap { Int($0) } }
  var isChunked: Bool { self["transfer-encoding"] != nil }
  var hasBody: Bool { isChunked || contentLength ?? 0 > 0 }

  /// The last address, which the nearest proxy has added.
  private var forwardedFor: String? {
    guard headers.contains(where: { $0.name == "forwarded" || $0.name.hasPrefix("x-forwarded-") }) else {
      return nil
    }
    let last = values("x-forwarded-for").last?.split(separator: ",").last
    return last.map { $0.filter { $0 != " " } } ?? ""
  }

  func request(from peer: HTTPRequest.Peer, body: [UInt8]) -> HTTPRequest {
    var request = HTTPRequest(method, String(path), query: HTTPRequest.Query(query) ?? [:])
    request.body = body
    request.peer = peer
    request.bearer = bearer
    request.lastEventID = self["last-event-id"]
    request.lease = self["holdfast-lease"]
    request.forwardedFor = forwardedFor
    return request
  }
}
