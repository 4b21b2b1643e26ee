package import HoldfastMediaModel

/// A message of RTSP 1.0 (RFC 2326).
package struct RTSPMessage: Hashable, Sendable {
  package enum Start: Hashable, Sendable {
    case request(method: String, uri: String)
    case response(status: Int, reason: String)
  }

  package var start: Start
  package var headers: RTSPHeaders
  package var body: [UInt8]

  package init(_ start: Start, headers: RTSPHeaders = RTSPHeaders(), body: [UInt8] = []) {
    self.start = start
    self.headers = headers
    self.body = body
  }

  /// The number that pairs a response with its request.
  package var sequence: Int? { headers["CSeq"].flatMap { Int($0) } }

  package func write(to bytes: inout OutgoingBytes) {
    switch start {
    case .request(let method, let uri): bytes.append("\(method) \(uri) RTSP/1.0\r\n")
    case .response(let status, let reason): bytes.append("RTSP/1.0 \(status) \(reason)\r\n")
    }
    for field in headers.fields { bytes.append("\(field.name): \(field.value)\r\n") }
    if !body.isEmpty { bytes.append("Content-Length: \(body.count)\r\n") }
    bytes.append("\r\n")
    bytes.append(contentsOf: body)
  }
}
