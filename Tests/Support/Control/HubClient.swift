package import HoldfastMediaModel

/// Sends single requests to a hub or a broadcast on this machine, whatever they are.
package struct HubClient: Sendable {
  package let port: UInt16
  /// Sent unless a request has one of its own.
  package var token: String?

  package init(port: UInt16, token: String? = nil) {
    self.port = port
    self.token = token
  }

  package struct Answer: Sendable {
    package let status: Int
    package let head: String
    package let text: String
    package let json: JSONValue

    /// `200`, or the status and the code of an error.
    package var verdict: String {
      json.field("error")?.field("code")?.text.map { "\(status) \($0)" } ?? String(status)
    }

    package subscript(key: String) -> JSONValue? { json.field(key) }
  }

  package func send(
    _ method: String, _ path: String, _ body: JSONValue? = nil, token: String? = nil, lease: String? = nil,
    headers: [String] = []
  ) throws -> Answer {
    var request = ["\(method) \(path) HTTP/1.1", "Host: localhost", "Connection: close"] + headers
    if let token = token ?? self.token { request.append("Authorization: Bearer \(token)") }
    if let lease { request.append("Holdfast-Lease: \(lease)") }
    let bytes = body.map { Array($0.description.utf8) } ?? []
    if body != nil { request.append("Content-Type: application/json") }
    if method != "GET" { request.append("Content-Length: \(bytes.count)") }
    let client = try WireClient(port: port)
    client.send(Array((request.joined(separator: "\r\n") + "\r\n\r\n").utf8) + bytes)
    guard let response = client.response(within: 30) else {
      throw TestFailure("no answer to \(method) \(path)")
    }
    return Answer(
      status: response.status, head: response.head, text: response.text,
      json: (try? JSONValue(reading: response.body.span)) ?? .null)
  }

  package func command(_ fields: JSONValue, in session: String) throws -> Answer {
    try send("POST", "/v1/sessions/\(session)/commands", fields)
  }

  /// The members that are there, by their names.
  package func members(of session: String) throws -> [String: JSONValue] {
    let answer = try send("GET", "/v1/sessions/\(session)")
    guard case .list(let members)? = answer["members"] else { return [:] }
    return Dictionary(members.map { ($0.field("name")?.text ?? "", $0) }) { $1 }
  }
}
