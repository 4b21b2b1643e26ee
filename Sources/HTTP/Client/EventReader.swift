package struct ServerSentEvent: Hashable, Sendable {
  package let id: String?
  package let name: String
  package let data: String

  package init(id: String?, name: String, data: String) {
    self.id = id
    self.name = name
    self.data = data
  }
}

/// Reads the response to an event request: a head, then events until the end.
package struct EventReader {
  private var bytes: [UInt8] = []
  private var status: Int?
  private var field = Fields()

  private struct Fields {
    var id: String?
    var name = "message"
    var data: [String] = []
  }

  package init() {}

  package static let lineLimit = 1024 * 1024

  package mutating func receive(_ piece: [UInt8]) throws(HTTPClientError) -> [ServerSentEvent] {
    bytes += piece
    guard bytes.count <= Self.lineLimit else { throw .unreadable("a line is too long") }
    if status == nil, let head = try ResponseHead(bytes) {
      status = head.status
      bytes.removeFirst(head.bodyStart)
    }
    return status == 200 ? readEvents() : []
  }

  /// The response received in place of events.
  package var refusal: HTTPResponse? {
    status.flatMap { $0 == 200 ? nil : HTTPResponse(status: $0, contentType: "", body: bytes) }
  }

  private mutating func readEvents() -> [ServerSentEvent] {
    var events: [ServerSentEvent] = []
    while let end = bytes.firstIndex(of: 0x0A) {
      let line = String(decoding: bytes[..<end], as: UTF8.self)
      bytes.removeFirst(end + 1)
      if line.isEmpty {
        if !field.data.isEmpty {
          events.append(
            ServerSentEvent(id: field.id, name: field.name, data: field.data.joined(separator: "\n")))
        }
        field = Fields()
      } else {
        take(line)
      }
    }
    return events
  }

  private mutating func take(_ line: String) {
    let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return }
    let value = String(parts[1].hasPrefix(" ") ? parts[1].dropFirst() : parts[1])
    switch parts[0] {
    case "id": field.id = value
    case "event": field.name = value
    case "data": field.data.append(value)
    default: break
    }
  }
}
