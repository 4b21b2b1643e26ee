package import HoldfastLifecycle
package import HoldfastMediaModel

/// A whole request; on the server one that is within the limits and the rules.
package struct HTTPRequest: Hashable, Sendable {
  /// Where a request comes from.
  package enum Peer: Hashable, Sendable {
    /// The unix socket: this user, or root.
    case local
    /// TCP. `isSameUser` is true where the kernel says that the other end is on this machine, and this user's or root's.
    case remote(address: String, isSameUser: Bool)
  }

  package let method: String
  /// As it is sent: nothing in it is unescaped.
  package let path: String
  package var query: Query
  package var body: [UInt8]
  package var peer = Peer.local
  /// The token that was sent; empty where something else was sent in its place.
  package var bearer: String?
  /// Where a reader of events resumes.
  package var lastEventID: String?

  package init(_ method: String, _ path: String, query: Query = [:], body: JSONValue? = nil) {
    self.method = method
    self.path = path
    self.query = query
    self.body = body.map { Array($0.description.utf8) } ?? []
  }
}

// MARK: - Of a client

extension HTTPRequest {
  package static let status = HTTPRequest("GET", ControlAPI.statusPath)

  package static func command(_ command: Lifecycle.Command) -> HTTPRequest {
    HTTPRequest("POST", ControlAPI.path(of: command))
  }

  /// As it is sent. The query must need no escapes.
  func bytes(version: String) -> [UInt8] {
    let query = query.pairs.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    let target = query.isEmpty ? path : "\(path)?\(query)"
    var lines = ["\(method) \(target) HTTP/\(version)", "Host: localhost", "Connection: close"]
    if !body.isEmpty { lines.append("Content-Type: application/json") }
    if method != "GET" { lines.append("Content-Length: \(body.count)") }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
  }
}
