package import HoldfastMediaModel
package import HoldfastSession

/// An event of a hub's stream.
package struct HubEvent: Hashable, Sendable {
  enum Kind: Hashable {
    /// The session as it is.
    case reset
    case session(Session.Event)
    /// The hub is about to go.
    case bye(retryAfter: MediaTime)
    /// Why the hub ends the stream.
    case failed
    /// Of a newer hub, about a member perhaps.
    case other(Session.Member.ID?)
  }

  /// Nil for what is not part of the session's order.
  package let id: EventID?
  package let name: String
  package let data: JSONValue
  let kind: Kind

  package init(id: String?, name: String, data: JSONValue) {
    self.id = id.flatMap { EventID($0) }
    self.name = name
    self.data = data
    kind =
      switch name {
      case "reset": .reset
      case "bye": .bye(retryAfter: data.field("retryAfter")?.seconds ?? .zero)
      case _ where data.field("error") != nil: .failed
      default: Session.Event(name, data).map { .session($0) } ?? .other(data.field("member")?.memberID)
      }
  }

  package var isReset: Bool { kind == .reset }
  /// It is about the stream, not the session.
  package var isEndOfStream: Bool {
    switch kind {
    case .bye, .failed: true
    case .reset, .session, .other: false
    }
  }
}

extension Session.Event {
  /// Whether a member has something to do about it, which its next beat's answer says exactly.
  func concerns(_ id: Session.Member.ID, as role: Session.Role?, until end: WallTime?) -> Bool {
    switch self {
    case .ended: true
    // Each second of a countdown says the same.
    case .timer(let report): report.endsAt != end
    case .hostChanged(let host, _): host == id || role == .host
    // Whether it is to show its screen is the session's to say; the rest the member has said itself.
    case .reported(id, .sharesScreen): true
    case .joined(id, _, _, _, _), .left(id, _, _), .renamed(id, _), .managerMade(id), .managerRevoked(id),
      .removed(id), .readmitted(id), .muted(id, _, _), .unmuted(id, _, _), .unmuteAsked(id, _),
      .unmuteDeclined(id):
      true
    case .joined, .left, .renamed, .managerMade, .managerRevoked, .removed, .readmitted, .muted, .unmuted,
      .unmuteAsked, .unmuteDeclined, .locked, .unlocked, .screensLocked, .screensUnlocked, .passwordChanged,
      .ready, .event, .reported, .speaker, .stage, .onAir:
      false
    }
  }
}
