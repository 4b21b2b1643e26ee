package import HoldfastMediaModel

/// A complete request; on the server one that satisfies the limits and the rules.
package struct HTTPRequest: Hashable, Sendable {
  package enum Peer: Hashable, Sendable {
    /// The unix socket: this user, or root.
    case local
    /// TCP. `isSameUser`: according to the kernel the peer is on this machine, and is this user or root.
    case remote(address: String, isSameUser: Bool)
  }

  package let method: String
  /// As sent, without unescaping.
  package let path: String
  package var query: Query
  package var body: [UInt8]
  package var peer = Peer.local
  /// The token; empty if the header held something else.
  package var bearer: String?
  /// The event after which a reader resumes.
  package var lastEventID: String?
  /// Of a member of a session: the header `Holdfast-Lease`.
  package var lease: String?
  /// The client's address as a proxy states it; empty if a proxy states something else.
  package var forwardedFor: String?

  package init(_ method: String, _ path: String, query: Query = [:], body: JSONValue? = nil) {
    self.method = method
    self.path = path
    self.query = query
    self.body = body.map { Array($0.description.utf8) } ?? []
  }
}

extension HTTPRequest {
  /// The serialized request of a client. The path must be escaped, and the query must need no escapes.
  package func bytes(host: String = "localhost", closes: Bool = true) -> [UInt8] {
    let query = query.pairs.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    let target = query.isEmpty ? path : "\(path)?\(query)"
    var lines = ["\(method) \(target) HTTP/1.1", "Host: \(host)"]
    if closes { lines.append("Connection: close") }
    lines += ownHeaders.map { "\($0): \($1)" }
    if !body.isEmpty { lines.append("Content-Type: application/json") }
    if method != "GET" { lines.append("Content-Length: \(body.count)") }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
  }

  private var ownHeaders: [(name: String, value: String)] {
    [
      ("Authorization", bearer.map { "Bearer \($0)" }), ("Holdfast-Lease", lease),
      ("Last-Event-ID", lastEventID),
    ].compactMap { name, value in value.map { (name, $0) } }
  }

  /// The request on a connection that is kept; refuses what would be another header or another request.
  func checkedBytes(for origin: HTTPOrigin) throws(HTTPClientError) -> [UInt8] {
    for (name, value) in ownHeaders where !value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) {
      // The value is not shown: it may be a secret.
      throw HTTPClientError(
        .invalidRequest, "\(origin): the \(name) header can't hold what was given",
        hint: "use printable ASCII characters, without line breaks")
    }
    return bytes(host: origin.authority, closes: false)
  }
}
