package import HoldfastLifecycle
package import HoldfastMediaModel

/// What a client asks for.
package struct ControlQuestion: Hashable, Sendable {
  package var method: String
  /// With its query.
  package var path: String
  package var body: JSONValue?

  package init(_ method: String, _ path: String, body: JSONValue? = nil) {
    self.method = method
    self.path = path
    self.body = body
  }

  package static let status = ControlQuestion("GET", ControlAPI.statusPath)

  package static func command(_ command: Lifecycle.Command) -> ControlQuestion {
    ControlQuestion("POST", ControlAPI.path(of: command))
  }

  /// As it is sent.
  func text(version: String) -> String {
    var lines = ["\(method) \(path) HTTP/\(version)", "Host: localhost", "Connection: close"]
    let body = body?.description ?? ""
    if !body.isEmpty { lines.append("Content-Type: application/json") }
    if method != "GET" { lines.append("Content-Length: \(body.utf8.count)") }
    return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
  }
}
