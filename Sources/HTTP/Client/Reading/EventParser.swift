import HoldfastMediaModel

/// Parses server-sent events, however their bytes arrive.
struct EventParser {
  /// The id to resume after. That of an event counts once the event is whole.
  private(set) var lastID: String?
  /// How long the server asks to wait before connecting again.
  private(set) var retry: MediaTime?

  private var line: [UInt8] = []
  private var isFirstLine = true
  /// A line feed that follows belongs to the same line end.
  private var hasEndedWithCR = false
  private var id: String?
  private var name: String?
  private var data: [String] = []
  private var size = 0

  /// For one line, and for all of an event.
  static let limit = 1024 * 1024
  private static let maxIDLength = 256
  private static let longestRetry = MediaTime.seconds(3600)

  mutating func receive(_ bytes: [UInt8]) throws(HTTPClientError) -> [ServerSentEvent] {
    var events: [ServerSentEvent] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      if hasEndedWithCR, rest.first == 0x0A { rest.removeFirst() }
      hasEndedWithCR = false
      let piece = rest.prefix { $0 != 0x0A && $0 != 0x0D }
      guard line.count + piece.count <= Self.limit else { throw .unreadable("a line is too long") }
      line += piece
      rest = rest.dropFirst(piece.count)
      guard let end = rest.popFirst() else { break }
      hasEndedWithCR = end == 0x0D
      if let event = try endLine() { events.append(event) }
    }
    return events
  }

  private mutating func endLine() throws(HTTPClientError) -> ServerSentEvent? {
    defer { line.removeAll(keepingCapacity: true) }
    // A byte order mark is no part of the first line.
    if isFirstLine, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
    isFirstLine = false
    guard line.isEmpty else {
      size += line.count
      guard size <= Self.limit else { throw .unreadable("an event is too long") }
      takeField()
      return nil
    }
    defer { (id, name, data, size) = (nil, nil, [], 0) }
    if let id { lastID = id }
    return data.isEmpty
      ? nil : ServerSentEvent(id: id, name: name ?? "message", data: data.joined(separator: "\n"))
  }

  private mutating func takeField() {
    let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
    var rest = line[colon...].dropFirst()
    if rest.first == 0x20 { rest.removeFirst() }
    let value = String(decoding: rest, as: UTF8.self)
    switch String(decoding: line[..<colon], as: UTF8.self) {
    // It is sent back in a header.
    case "id"
    where value.utf8.count <= Self.maxIDLength && value.utf8.allSatisfy { (0x20...0x7E).contains($0) }:
      id = value
    case "event": name = value
    case "data": data.append(value)
    case "retry" where !value.isEmpty && value.utf8.allSatisfy { (0x30...0x39).contains($0) }:
      retry = min(MediaTime.milliseconds(Int64(value.prefix(12)) ?? 0), Self.longestRetry)
    default: break
    }
  }
}

package struct ServerSentEvent: Hashable, Sendable {
  /// The event's own; nil without one.
  package let id: String?
  package let name: String
  package let data: String

  package init(id: String?, name: String, data: String) {
    self.id = id
    self.name = name
    self.data = data
  }
}
