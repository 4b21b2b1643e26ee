package import HoldfastMediaModel

extension Session.Event {
  /// The name in event lines and streams, a stable interface.
  package var name: String { parts.name }

  /// As event streams show it: the name, and what belongs to it. Without leases and addresses of outputs.
  package var json: JSONValue {
    let (name, fields) = parts
    return .object([JSONValue.Field("event", .text(name))] + fields)
  }

  private var parts: (name: String, fields: [JSONValue.Field]) {
    switch self {
    case .joined(let id, let name, let kind, _, let returned):
      (
        "joined",
        [
          .member(id), JSONValue.Field("name", .text(name.text)), .word("kind", kind),
          JSONValue.Field("returned", .bool(returned)),
        ]
      )
    case .left(let id, let why, _): ("left", [.member(id), .word("why", why)])
    case .renamed(let id, let name): ("renamed", [.member(id), JSONValue.Field("name", .text(name.text))])
    case .hostChanged(let id, let why): ("hostChanged", [.member(id), .word("why", why)])
    case .managerMade(let id): ("managerMade", [.member(id)])
    case .managerRevoked(let id): ("managerRevoked", [.member(id)])
    case .removed(let id): ("removed", [.member(id)])
    case .readmitted(let id): ("readmitted", [.member(id)])
    case .muted(let id, let tracks, let by): ("muted", [.member(id), .tracks(tracks), .word("by", by)])
    case .unmuted(let id, let tracks, let by): ("unmuted", [.member(id), .tracks(tracks), .word("by", by)])
    case .unmuteAsked(let id, let tracks): ("unmuteAsked", [.member(id), .tracks(tracks)])
    case .unmuteDeclined(let id): ("unmuteDeclined", [.member(id)])
    case .locked: ("locked", [])
    case .unlocked: ("unlocked", [])
    case .screensLocked: ("screensLocked", [])
    case .screensUnlocked: ("screensUnlocked", [])
    case .passwordChanged(let isSet): ("passwordChanged", [JSONValue.Field("isSet", .bool(isSet))])
    case .timer(let report):
      (
        "timer",
        [
          .word("state", report.state), JSONValue.Field("startedAt", JSONValue(report.startedAt?.rfc3339)),
          JSONValue.Field("endsAt", JSONValue(report.endsAt?.rfc3339)),
          JSONValue.Field("secondsLeft", report.left.map { .integer($0.wholeSeconds) } ?? .null),
        ]
      )
    case .ready(let id): ("ready", [.member(id)])
    case .event(let id, let event):
      (
        "event",
        [.member(id), JSONValue.Field("name", .text(event.name)), JSONValue.Field("data", event.data)]
      )
    case .reported(let id, let change): ("reported", [.member(id), change.field])
    case .speaker(let id): ("speaker", [.member(id)])
    case .stage(let grids): ("stage", [JSONValue.Field("grids", .list(grids.map(\.json)))])
    case .onAir(let job, let state, let reason):
      (
        "onAir",
        [
          JSONValue.Field("job", .text(job)), .word("state", state),
          JSONValue.Field("reason", JSONValue(reason)),
        ]
      )
    case .ended(let why): ("ended", [.word("why", why)])
    }
  }
}

extension Session.Change {
  fileprivate var field: JSONValue.Field {
    switch self {
    case .condition(let condition): .word("state", condition)
    case .lacking(let tracks): JSONValue.Field("lacks", JSONValue(tracks))
    case .muted(let tracks): JSONValue.Field("muted", JSONValue(tracks))
    case .silent(let isSilent): JSONValue.Field("silent", .bool(isSilent))
    case .sharesScreen(let shares): JSONValue.Field("sharesScreen", .bool(shares))
    case .givesSmall(let gives): JSONValue.Field("small", .bool(gives))
    }
  }
}

extension JSONValue.Field {
  fileprivate static func member(_ id: Session.Member.ID?) -> Self { Self("member", JSONValue(id?.text)) }
  fileprivate static func tracks(_ tracks: Set<TrackKind>) -> Self { Self("tracks", JSONValue(tracks)) }

  fileprivate static func word(_ key: String, _ word: some RawRepresentable<String>) -> Self {
    Self(key, .text(word.rawValue))
  }
}
