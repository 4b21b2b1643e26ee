import HoldfastHTTP
import HoldfastMediaModel

/// Turns a stream of a session's events into lines, and remembers the members' names for them.
struct SessionEventText {
  private var names: [String: String] = [:]
  let asJSON: Bool
  /// The session has ended, by an event.
  private(set) var isOver = false

  init(asJSON: Bool) { self.asJSON = asJSON }

  /// Nil for an event that says nothing of the session.
  mutating func line(for event: ServerSentEvent, at now: WallTime) -> String? {
    let json = (try? JSONValue(reading: Array(event.data.utf8).span)) ?? .null
    if event.name == "bye" { return nil }
    // A renamed member is shown by the name that readers know.
    let before = names
    note(event.name, json)
    if event.name == "ended" { isOver = true }
    if event.name == "reset" {
      return asJSON ? JSONValue.object([.init("event", "reset"), .init("state", json)]).description : nil
    }
    if asJSON { return json == .null ? nil : json.description }
    return line(event.name, json, event.name == "renamed" ? before : names, at: now)
  }

  private mutating func note(_ name: String, _ json: JSONValue) {
    if name == "reset" {
      for list in ["members", "away", "removed"] {
        for member in json.field(list)?.elements ?? [] { note(member.field("id"), member.field("name")) }
      }
    } else if name == "joined" || name == "renamed" {
      note(json.field("member"), json.field("name"))
    }
  }

  private mutating func note(_ id: JSONValue?, _ name: JSONValue?) {
    if let id = id?.text, let name = name?.text { names[id] = name }
  }

  /// `2026-11-26T04:05:06.000Z muted Anna: tracks audio, by others`.
  private func line(
    _ name: String, _ json: JSONValue, _ names: [String: String], at now: WallTime
  ) -> String {
    guard case .object(let fields) = json else { return "\(now.rfc3339) \(name.printable)" }
    let member = json.field("member")?.text.map { names[$0] ?? $0 }
    let isNamed = name == "joined"
    let details = fields.filter { !["event", "member"].contains($0.key) && !(isNamed && $0.key == "name") }
      .compactMap { field in Self.text(field.value).map { "\(field.key.printable) \($0)" } }
    let head = ([name] + [member].compactMap(\.self)).map(\.printable).joined(separator: " ")
    return "\(now.rfc3339) \(head)" + (details.isEmpty ? "" : ": " + details.joined(separator: ", "))
  }

  private static func text(_ value: JSONValue) -> String? {
    switch value {
    case .null: nil
    case .bool(let isTrue): isTrue ? "yes" : "no"
    case .text(let text): text.printable
    case .list(let elements) where elements.allSatisfy({ $0.text != nil }):
      elements.isEmpty ? "none" : elements.compactMap(\.text).map(\.printable).joined(separator: " and ")
    case .integer, .number, .list, .object: value.description
    }
  }
}
