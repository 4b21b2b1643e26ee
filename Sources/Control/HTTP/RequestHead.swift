/// A request before its body: the words of its first line, and its headers, as they were sent.
struct RequestHead {
  struct Header: Hashable {
    let name: String
    let value: String
  }

  let method: String
  /// With the query.
  let target: String
  let headers: [Header]

  /// All values of a header; `name` in lower case.
  func values(_ name: String) -> [String] {
    headers.filter { $0.name.utf8.count == name.utf8.count && $0.name.lowercased() == name }.map(\.value)
  }

  subscript(name: String) -> String? { values(name).first }

  var path: Substring { target.prefix { $0 != "?" } }
  var query: Substring { target.drop { $0 != "?" }.dropFirst() }

  /// What follows `Bearer`; empty where the header says something else.
  var bearer: String? {
    guard let text = self["authorization"] else { return nil }
    let words = text.split(separator: " ", omittingEmptySubsequences: true)
    guard words.count == 2, words[0].lowercased() == "bearer" else { return "" }
    return String(words[1])
  }

  /// The length that it promises; nil where it promises none, or no number.
  var contentLength: Int? { self["content-length"].flatMap { Int($0) } }
  var isChunked: Bool { self["transfer-encoding"] != nil }
  var hasBody: Bool { isChunked || contentLength ?? 0 > 0 }

  func request(from peer: HTTPRequest.Peer, body: [UInt8]) -> HTTPRequest {
    var request = HTTPRequest(method, String(path), query: HTTPRequest.Query(query) ?? [:])
    request.body = body
    request.peer = peer
    request.bearer = bearer
    request.lastEventID = self["last-event-id"]
    return request
  }
}
