package import HoldfastMediaModel
package import HoldfastSession

/// An event of a hub's stream.
package struct HubEvent: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// The session as it is.
    case reset
    case session(Session.Event)
    /// Joined and left, for a reason or of a kind that only a newer hub knows.
    case came(Session.Member.ID, name: String)
    case went(Session.Member.ID)
    /// The hub is about to go.
    case bye(retryAfter: MediaTime)
    /// Why the hub ends the stream.
    case failed
    /// Something else that only a newer hub says, of a member or of all.
    case other(Session.Member.ID?)
  }

  /// Nil for what is not part of the session's order.
  package let id: EventID?
  package let name: String
  package let data: JSONValue
  package let kind: Kind

  package init(id: String?, name: String, data: JSONValue) {
    self.id = id.flatMap { EventID($0) }
    self.name = name
    self.data = data
    kind = Kind(name, data)
  }

  package var isReset: Bool { kind == .reset }
  /// It is about the stream, not the session.
  package var isEndOfStream: Bool {
    switch kind {
    case .bye, .failed: true
    case .reset, .session, .came, .went, .other: false
    }
  }
}

extension HubEvent.Kind {
  fileprivate init(_ name: String, _ data: JSONValue) {
    self =
      switch (name, data.field("member")?.memberID) {
      case ("reset", _): .reset
      case ("bye", _): .bye(retryAfter: data.field("retryAfter")?.seconds ?? .zero)
      case _ where data.field("error") != nil: .failed
      case ("joined", let id?): .came(id, name: data.field("name")?.text ?? "")
      case ("left", let id?): .went(id)
      case (_, let id): .other(id)
      }
    if let event = Session.Event(name, data) { self = .session(event) }
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
