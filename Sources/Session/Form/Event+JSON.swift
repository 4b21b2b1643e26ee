import HoldfastLifecycle
package import HoldfastMediaModel

extension Session.Event {
  /// The name in event lines and streams, a stable interface.
  package var name: String { parts.name }

  /// As event streams show it: the name, and what belongs to it. Without leases and addresses of outputs.
  package var json: JSONValue {
    let (name, fields) = parts
    return ["event": .text(name)] + fields
  }

  private var parts: (name: String, fields: JSONValue) {
    func of(_ id: Session.Member.ID?, _ fields: JSONValue = [:]) -> JSONValue {
      ["member": JSONValue(id?.text)] + fields
    }
    return switch self {
    case .joined(let id, let name, let kind, _, let returned):
      (
        "joined",
        of(id, ["name": .text(name.text), "kind": .text(kind.rawValue), "returned": .bool(returned)])
      )
    case .left(let id, let why, _): ("left", of(id, ["why": .text(why.rawValue)]))
    case .renamed(let id, let name): ("renamed", of(id, ["name": .text(name.text)]))
    case .hostChanged(let id, let why): ("hostChanged", of(id, ["why": .text(why.rawValue)]))
    case .managerMade(let id): ("managerMade", of(id))
    case .managerRevoked(let id): ("managerRevoked", of(id))
    case .removed(let id): ("removed", of(id))
    case .readmitted(let id): ("readmitted", of(id))
    case .muted(let id, let tracks, let by):
      ("muted", of(id, ["tracks": JSONValue(tracks), "by": .text(by.rawValue)]))
    case .unmuted(let id, let tracks, let by):
      ("unmuted", of(id, ["tracks": JSONValue(tracks), "by": .text(by.rawValue)]))
    case .unmuteAsked(let id, let tracks): ("unmuteAsked", of(id, ["tracks": JSONValue(tracks)]))
    case .unmuteDeclined(let id): ("unmuteDeclined", of(id))
    case .locked: ("locked", [:])
    case .unlocked: ("unlocked", [:])
    case .screensLocked: ("screensLocked", [:])
    case .screensUnlocked: ("screensUnlocked", [:])
    case .passwordChanged(let isSet): ("passwordChanged", ["isSet": .bool(isSet)])
    case .timer(let report): ("timer", ["state": .text(report.state.rawValue)] + report.times)
    case .ready(let id): ("ready", of(id))
    case .event(let id, let event): ("event", of(id, ["name": .text(event.name), "data": event.data]))
    case .reported(let id, let change): ("reported", of(id, change.json))
    case .speaker(let id): ("speaker", of(id))
    case .stage(let grids): ("stage", ["grids": .list(grids.map(\.json))])
    case .onAir(let job, let state, let reason):
      ("onAir", ["job": .text(job), "state": .text(state.rawValue), "reason": JSONValue(reason)])
    case .ended(let why): ("ended", ["why": .text(why.rawValue)])
    }
  }

  /// As event streams show it; nil for an unknown name, or a field that is missing or has an unknown value.
  package init?(_ name: String, _ json: JSONValue) {
    guard let event = (try? Self.read(name, Fields(json))) ?? nil else { return nil }
    self = event
  }

  private static func read(_ name: String, _ fields: Fields) throws(Session.FormError) -> Self? {
    switch name {
    case "joined":
      .joined(
        try fields.member(), try fields.required("name", \.displayName), try fields.word("kind"), nil,
        returned: try fields.flag("returned"))
    case "left": .left(try fields.member(), try fields.word("why"), nil)
    case "renamed": .renamed(try fields.member(), try fields.required("name", \.displayName))
    case "hostChanged": .hostChanged(try fields.optional("member", \.memberID), try fields.word("why"))
    case "managerMade": .managerMade(try fields.member())
    case "managerRevoked": .managerRevoked(try fields.member())
    case "removed": .removed(try fields.member())
    case "readmitted": .readmitted(try fields.member())
    case "muted": .muted(try fields.member(), try fields.tracks(), try fields.word("by"))
    case "unmuted": .unmuted(try fields.member(), try fields.tracks(), try fields.word("by"))
    case "unmuteAsked": .unmuteAsked(try fields.member(), try fields.tracks())
    case "unmuteDeclined": .unmuteDeclined(try fields.member())
    case "locked": .locked
    case "unlocked": .unlocked
    case "screensLocked": .screensLocked
    case "screensUnlocked": .screensUnlocked
    case "passwordChanged": .passwordChanged(try fields.required("isSet", \.flag))
    case "timer": .timer(try Session.TimerReport(fields))
    case "ready": .ready(try fields.member())
    case "event": .event(try fields.optional("member", \.memberID), try fields.customEvent())
    case "reported": .reported(try fields.member(), try Session.Change(fields))
    case "speaker": .speaker(try fields.optional("member", \.memberID))
    case "stage": .stage(try fields.required("grids") { $0.elements?.compactMap { Session.Stage.Shown($0) } })
    case "onAir":
      .onAir(
        job: try fields.optional("job", \.text) ?? "", try fields.word("state"),
        reason: try fields.optional("reason", \.text))
    case "ended": .ended(try fields.word("why"))
    default: nil
    }
  }
}

extension Fields {
  fileprivate func word<Word: RawRepresentable>(
    _ key: String
  ) throws(Session.FormError) -> Word where Word.RawValue == String {
    try required(key) { $0.word(Word.self) }
  }

  fileprivate func member() throws(Session.FormError) -> Session.Member.ID {
    try required("member", \.memberID)
  }

  fileprivate func tracks() throws(Session.FormError) -> Set<TrackKind> { try required("tracks", \.tracks) }

  fileprivate func customEvent() throws(Session.FormError) -> Session.CustomEvent {
    let data = try optional("data") { $0 } ?? .null
    return try required("name") { $0.text.flatMap { try? Session.CustomEvent(name: $0, data: data) } }
  }
}

extension Session.TimerReport {
  /// What states show, too.
  var times: JSONValue {
    [
      "startedAt": JSONValue(startedAt?.rfc3339), "endsAt": JSONValue(endsAt?.rfc3339),
      "secondsLeft": left.map { .integer($0.wholeSeconds) } ?? .null,
    ]
  }

  fileprivate init(_ fields: Fields) throws(Session.FormError) {
    func time(_ key: String) throws(Session.FormError) -> WallTime? {
      try fields.optional(key) { $0 }?.text.flatMap(WallTime.init(rfc3339:))
    }
    self.init(
      state: try fields.word("state"), startedAt: try time("startedAt"), endsAt: try time("endsAt"),
      left: try fields.optional("secondsLeft") { $0 }?.integer.flatMap { seconds in
        (0...SessionTimer.longest.wholeSeconds).contains(seconds) ? .seconds(seconds) : nil
      })
  }
}

extension Session.Change {
  fileprivate var json: JSONValue {
    switch self {
    case .condition(let condition): ["state": .text(condition.rawValue)]
    case .lacking(let tracks): ["lacks": JSONValue(tracks)]
    case .muted(let tracks): ["muted": JSONValue(tracks)]
    case .silent(let isSilent): ["silent": .bool(isSilent)]
    case .sharesScreen(let shares): ["sharesScreen": .bool(shares)]
    case .givesSmall(let gives): ["small": .bool(gives)]
    }
  }

  fileprivate init(_ fields: Fields) throws(Session.FormError) {
    if let condition = try fields.optional("state", { $0.word(Session.Member.Condition.self) }) {
      self = .condition(condition)
    } else if let tracks = try fields.optional("lacks", \.tracks) {
      self = .lacking(tracks)
    } else if let tracks = try fields.optional("muted", \.tracks) {
      self = .muted(tracks)
    } else if let isSilent = try fields.optional("silent", \.flag) {
      self = .silent(isSilent)
    } else if let shares = try fields.optional("sharesScreen", \.flag) {
      self = .sharesScreen(shares)
    } else {
      self = .givesSmall(try fields.required("small", \.flag))
    }
  }
}
