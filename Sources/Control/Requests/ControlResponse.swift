internal import HoldfastMediaModel

/// What a client is answered.
package struct ControlResponse: Sendable {
  package enum Body: Sendable {
    case bytes([UInt8])
    /// Goes on until the stream or the client ends it.
    case stream(any ControlStream)
  }

  package let status: Int
  package let contentType: String
  package let body: Body
  /// Beside those that every answer has.
  package var headers: [(name: String, value: String)]

  /// `allowed` are for 405: the methods that there are.
  package init(
    status: Int = 200, contentType: String, body: [UInt8], allowed: [String] = [],
    headers: [(name: String, value: String)] = []
  ) {
    self.status = status
    self.contentType = contentType
    self.body = .bytes(body)
    self.headers = headers + (allowed.isEmpty ? [] : [("Allow", allowed.joined(separator: ", "))])
  }

  package init(contentType: String, stream: any ControlStream) {
    status = 200
    self.contentType = contentType
    body = .stream(stream)
    headers = []
  }

  package static func json(_ text: String, status: Int = 200) -> ControlResponse {
    ControlResponse(status: status, contentType: "application/json", body: Array((text + "\n").utf8))
  }

  package static func refusal(
    _ status: Int, _ error: ControlError, allowed: [String] = [],
    headers: [(name: String, value: String)] = []
  ) -> ControlResponse {
    ControlResponse(
      status: status, contentType: "application/json", body: Array((error.json.description + "\n").utf8),
      allowed: allowed, headers: headers)
  }

  /// Server-sent events.
  package static func events(_ stream: EventStream) -> ControlResponse {
    ControlResponse(contentType: "text/event-stream", stream: stream)
  }

  package static func pictures(_ stream: PictureStream) -> ControlResponse {
    ControlResponse(
      contentType: "multipart/x-mixed-replace; boundary=\(PictureStream.boundary)", stream: stream)
  }

  /// The body as far as it is known; empty for a stream.
  package var bytes: [UInt8] {
    switch body {
    case .bytes(let bytes): bytes
    case .stream: []
    }
  }
}
