package import HoldfastMediaModel

extension Session.Event {
  /// As event streams show it: the name, and what belongs to it. Without leases and addresses of outputs.
  package var json: JSONValue { .object([JSONValue.Field("event", .text(name))] + fields) }

  private var fields: [JSONValue.Field] {
    switch self {
    case .joined(let id, let name, let kind, _, let returned):
      [
        .member(id), JSONValue.Field("name", .text(name.text)), .word("kind", kind),
        JSONValue.Field("returned", .bool(returned)),
      ]
    case .left(let id, let why, _): [.member(id), .word("why", why)]
    case .renamed(let id, let name): [.member(id), JSONValue.Field("name", .text(name.text))]
    case .hostChanged(let id, let why): [.member(id), .word("why", why)]
    case .managerMade(let id), .managerRevoked(let id), .removed(let id), .readmitted(let id), .ready(let id),
      .unmuteDeclined(let id):
      [.member(id)]
    case .muted(let id, let tracks, let by), .unmuted(let id, let tracks, let by):
      [.member(id), JSONValue.Field("tracks", JSONValue(tracks)), .word("by", by)]
    case .unmuteAsked(let id, let tracks): [.member(id), JSONValue.Field("tracks", JSONValue(tracks))]
    case .locked, .unlocked, .screensLocked, .screensUnlocked: []
    case .passwordChanged(let isSet): [JSONValue.Field("isSet", .bool(isSet))]
    case .timer(let report):
      [
        .word("state", report.state), JSONValue.Field("startedAt", JSONValue(report.startedAt?.rfc3339)),
        JSONValue.Field("endsAt", JSONValue(report.endsAt?.rfc3339)),
        JSONValue.Field("secondsLeft", report.left.map { .integer($0.wholeSeconds) } ?? .null),
      ]
    case .event(let id, let event):
      [.member(id), JSONValue.Field("name", .text(event.name)), JSONValue.Field("data", event.data)]
    case .reported(let id, let change): [.member(id), change.field]
    case .speaker(let id): [.member(id)]
    case .stage(let grids): [JSONValue.Field("grids", .list(grids.map(\.json)))]
    case .onAir(let job, let state, let reason):
      [
        JSONValue.Field("job", .text(job)), .word("state", state),
        JSONValue.Field("reason", JSONValue(reason)),
      ]
    case .ended(let why): [.word("why", why)]
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

  fileprivate static func word(_ key: String, _ word: some RawRepresentable<String>) -> Self {
    Self(key, .text(word.rawValue))
  }
}
