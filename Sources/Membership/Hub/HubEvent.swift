package import HoldfastMediaModel
import HoldfastSession

/// An event of a hub's stream as it came.
package struct HubEvent: Hashable, Sendable {
  /// Nil for what is not part of the session's order.
  package let id: EventMark?
  package let name: String
  package let data: JSONValue

  package init(id: String?, name: String, data: JSONValue) {
    self.id = id.flatMap { EventMark($0) }
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

/// The place of an event in the order that all see, `epoch-sequence`.
package struct EventMark: Hashable, Sendable, Comparable, CustomStringConvertible {
  package let epoch: UInt64
  package let sequence: UInt64

  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let epoch = UInt64(parts[0]), let sequence = UInt64(parts[1]) else { return nil }
    (self.epoch, self.sequence) = (epoch, sequence)
  }

  package var description: String { "\(epoch)-\(sequence)" }

  package static func < (left: EventMark, right: EventMark) -> Bool {
    (left.epoch, left.sequence) < (right.epoch, right.sequence)
  }
}
