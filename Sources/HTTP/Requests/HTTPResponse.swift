package import HoldfastMediaModel

package struct HTTPResponse: Sendable {
  package enum Body: Sendable {
    case bytes([UInt8])
    /// Lasts until the stream or the client ends it.
    case stream(any ResponseStream)
  }

  package let status: Int
  package let contentType: String
  package let body: Body
  package var headers: [(name: String, value: String)] = []

  package init(status: Int = 200, contentType: String, body: [UInt8]) {
    self.status = status
    self.contentType = contentType
    self.body = .bytes(body)
  }

  package init(contentType: String, stream: any ResponseStream) {
    status = 200
    self.contentType = contentType
    body = .stream(stream)
  }

  package init(_ error: APIError) {
    self = .json(error.json, status: error.status)
    if error.status == 401 { headers.append(("WWW-Authenticate", "Bearer")) }
    if let wait = error.retryAfter { headers.append(("Retry-After", String(wait.wholeSeconds))) }
    if !error.allowed.isEmpty { headers.append(("Allow", error.allowed.joined(separator: ", "))) }
  }

  package static func json(_ value: JSONValue, status: Int = 200) -> HTTPResponse {
    HTTPResponse(status: status, contentType: "application/json", body: Array("\(value)\n".utf8))
  }

  /// `{"ok":true,…}` with the fields of an object.
  package static func ok(_ object: JSONValue = [:]) -> HTTPResponse {
    guard case .object(let fields) = object else { return json(object) }
    return json(.object([.init("ok", .bool(true))] + fields))
  }

  package static func events(_ stream: EventStream) -> HTTPResponse {
    HTTPResponse(contentType: "text/event-stream", stream: stream)
  }

  package static func pictures(_ stream: PictureStream) -> HTTPResponse {
    HTTPResponse(contentType: "multipart/x-mixed-replace; boundary=\(PictureStream.boundary)", stream: stream)
  }
}

extension HTTPResponse {
  /// The body; empty for a stream.
  package var bytes: [UInt8] {
    switch body {
    case .bytes(let bytes): bytes
    case .stream: []
    }
  }

  package var isSuccess: Bool { (200...299).contains(status) }
  package var text: String { String(decoding: bytes, as: UTF8.self) }
  package var json: JSONValue? { try? JSONValue(reading: bytes.span) }
  package var error: APIError? {
    guard let error = json?.field("error"), let code = error.field("code")?.text,
      let message = error.field("message")?.text
    else { return nil }
    return APIError(status, code, message, hint: error.field("hint")?.text, retryAfter: retryAfter)
  }

  /// The first header of this name; case does not matter.
  package func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// How long the server asks to wait, at most a day; nil without that, or for a date.
  package var retryAfter: MediaTime? {
    guard let text = header("retry-after"), (1...5).contains(text.utf8.count),
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int64(text).map { .seconds(min($0, 86_400)) }
  }
}
