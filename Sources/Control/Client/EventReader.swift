/// One server-sent event.
package struct ControlEvent: Hashable, Sendable {
  package let id: String?
  package let name: String
  package let data: String

  package init(id: String?, name: String, data: String) {
    self.id = id
    self.name = name
    self.data = data
  }
}

/// Reads the answer to a request for events, however it arrives: a head, then events until the end.
struct EventReader {
  private var bytes: [UInt8] = []
  private var status: Int?
  private var field = Fields()

  private struct Fields {
    var id: String?
    var name = "message"
    var data: [String] = []
  }

  static let lineLimit = 1024 * 1024

  mutating func receive(_ piece: [UInt8]) throws(ControlClientError) -> [ControlEvent] {
    bytes += piece
    guard bytes.count <= Self.lineLimit else {
      throw ControlClientError(.strangeAnswer, "the answer can't be read: a line has no end")
    }
    if status == nil { try readHead() }
    return status == 200 ? readEvents() : []
  }

  /// What came in place of events.
  var refusal: ControlAnswer? {
    status.flatMap { $0 == 200 ? nil : ControlAnswer(status: $0, body: bytes) }
  }

  private mutating func readHead() throws(ControlClientError) {
    let end = Array("\r\n\r\n".utf8)
    guard let place = bytes.indices.first(where: { bytes[$0...].starts(with: end) }) else { return }
    let words = String(decoding: bytes[..<place], as: UTF8.self).split(separator: " ", maxSplits: 2)
    guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
      throw ControlClientError(.strangeAnswer, "the answer can't be read: its first line is not one of HTTP")
    }
    self.status = status
    bytes.removeFirst(place + end.count)
  }

  private mutating func readEvents() -> [ControlEvent] {
    var events: [ControlEvent] = []
    while let end = bytes.firstIndex(of: 0x0A) {
      let line = String(decoding: bytes[..<end], as: UTF8.self)
      bytes.removeFirst(end + 1)
      if line.isEmpty {
        if !field.data.isEmpty {
          events.append(
            ControlEvent(id: field.id, name: field.name, data: field.data.joined(separator: "\n")))
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
