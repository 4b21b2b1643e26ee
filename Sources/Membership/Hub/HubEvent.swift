package import HoldfastMediaModel
package import HoldfastSession

/// An event of a hub's stream as it came.
package struct HubEvent: Hashable, Sendable {
  /// Nil for what is not part of the session's order.
  package let id: EventID?
  package let name: String
  package let data: JSONValue

  package init(id: String?, name: String, data: JSONValue) {
    self.id = id.flatMap { EventID($0) }
    self.name = name
    self.data = data
  }
}

extension HubEvent {
  var member: Session.Member.ID? { data.field("member")?.memberID }

  /// Whether a member has something to do about it, which its next beat's answer says exactly.
  func concerns(_ id: Session.Member.ID, as role: Session.Role?, until end: WallTime?) -> Bool {
    switch name {
    case "ended": true
    // Each second of a countdown says the same.
    case "timer": data.field("endsAt")?.text.flatMap { WallTime(rfc3339: $0) } != end
    case "hostChanged": member == id || role == .host
    // Whether it is to show its screen is the session's to say; the rest the member has said itself.
    case "reported": member == id && data.field("sharesScreen") != nil
    case "ready", "event": false
    default: member == id
    }
  }
}
