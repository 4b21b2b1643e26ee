public import MediaModel

/// What a client asks for.
public struct ControlQuestion: Hashable, Sendable {
  public var method: String
  /// With its query.
  public var path: String
  public var body: JSONValue?

  public init(_ method: String, _ path: String, body: JSONValue? = nil) {
    self.method = method
    self.path = path
    self.body = body
  }

  public static let status = ControlQuestion("GET", ControlAPI.statusPath)

  public static func command(_ command: ControlCommand) -> ControlQuestion {
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
