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
    switch self {
    case .joined(let id, let name, let kind, _, let returned):
      (
        "joined",
        [
          "member": JSONValue(id), "name": .text(name.text), "kind": .text(kind.rawValue),
          "returned": .bool(returned),
        ]
      )
    case .left(let id, let why, _): ("left", ["member": JSONValue(id), "why": .text(why.rawValue)])
    case .renamed(let id, let name): ("renamed", ["member": JSONValue(id), "name": .text(name.text)])
    case .hostChanged(let id, let why):
      ("hostChanged", ["member": JSONValue(id?.text), "why": .text(why.rawValue)])
    case .managerMade(let id): ("managerMade", ["member": JSONValue(id)])
    case .managerRevoked(let id): ("managerRevoked", ["member": JSONValue(id)])
    case .removed(let id): ("removed", ["member": JSONValue(id)])
    case .readmitted(let id): ("readmitted", ["member": JSONValue(id)])
    case .muted(let id, let tracks, let by):
      ("muted", ["member": JSONValue(id), "tracks": JSONValue(tracks), "by": .text(by.rawValue)])
    case .unmuted(let id, let tracks, let by):
      ("unmuted", ["member": JSONValue(id), "tracks": JSONValue(tracks), "by": .text(by.rawValue)])
    case .unmuteAsked(let id, let tracks):
      ("unmuteAsked", ["member": JSONValue(id), "tracks": JSONValue(tracks)])
    case .unmuteDeclined(let id): ("unmuteDeclined", ["member": JSONValue(id)])
    case .locked: ("locked", [:])
    case .unlocked: ("unlocked", [:])
    case .screensLocked: ("screensLocked", [:])
    case .screensUnlocked: ("screensUnlocked", [:])
    case .passwordChanged(let isSet): ("passwordChanged", ["isSet": .bool(isSet)])
    case .timer(let report):
      (
        "timer",
        [
          "state": .text(report.state.rawValue), "startedAt": JSONValue(report.startedAt?.rfc3339),
          "endsAt": JSONValue(report.endsAt?.rfc3339),
          "secondsLeft": report.left.map { .integer($0.wholeSeconds) } ?? .null,
        ]
      )
    case .ready(let id): ("ready", ["member": JSONValue(id)])
    case .event(let id, let event):
      ("event", ["member": JSONValue(id?.text), "name": .text(event.name), "data": event.data])
    case .reported(let id, let change): ("reported", ["member": JSONValue(id)] + change.json)
    case .speaker(let id): ("speaker", ["member": JSONValue(id?.text)])
    case .stage(let grids): ("stage", ["grids": .list(grids.map(\.json))])
    case .onAir(let job, let state, let reason):
      ("onAir", ["job": .text(job), "state": .text(state.rawValue), "reason": JSONValue(reason)])
    case .ended(let why): ("ended", ["why": .text(why.rawValue)])
    }
  }
}

extension Session.Event {
  /// As event streams show it; nil for what only a newer hub says.
  package init?(_ name: String, _ fields: JSONValue) {
    let member = fields.field("member")?.memberID
    guard
      let event = Self.ofMeeting(name, fields, by: member) ?? member.flatMap({ Self.of($0, name, fields) })
    else { return nil }
    self = event
  }

  private static func ofMeeting(_ name: String, _ fields: JSONValue, by member: Session.Member.ID?) -> Self? {
    switch name {
    case "hostChanged": fields.field("why")?.word(Session.HostChange.self).map { .hostChanged(member, $0) }
    case "locked": .locked
    case "unlocked": .unlocked
    case "screensLocked": .screensLocked
    case "screensUnlocked": .screensUnlocked
    case "passwordChanged": fields.field("isSet")?.flag.map { .passwordChanged($0) }
    case "timer": Session.TimerReport(fields).map { .timer($0) }
    case "event":
      (try? fields.field("name")?.text.map { name throws(Session.Refusal) in
        try Session.CustomEvent(name: name, data: fields.field("data") ?? .null)
      }).map { .event(member, $0) }
    case "speaker": fields.field("member").map { _ in .speaker(member) }
    case "stage": fields.field("grids")?.elements.map { .stage($0.compactMap { Session.Stage.Shown($0) }) }
    case "onAir":
      fields.field("state")?.word(Session.Job.State.self).map {
        .onAir(job: fields.field("job")?.text ?? "", $0, reason: fields.field("reason")?.text)
      }
    case "ended": fields.field("why")?.word(Session.EndReason.self).map { .ended($0) }
    default: nil
    }
  }

  private static func of(_ id: Session.Member.ID, _ name: String, _ fields: JSONValue) -> Self? {
    let newName = fields.field("name")?.displayName
    let muted = fields.field("tracks")?.tracks.flatMap { tracks in
      fields.field("by")?.word(Session.MutedBy.self).map { (tracks, $0) }
    }
    return switch name {
    case "joined":
      newName.flatMap { newName in
        fields.field("kind")?.word(Session.Member.Kind.self).map {
          .joined(id, newName, $0, nil, returned: fields.field("returned")?.flag ?? false)
        }
      }
    case "left": fields.field("why")?.word(Session.Departure.self).map { .left(id, $0, nil) }
    case "renamed": newName.map { .renamed(id, $0) }
    case "managerMade": .managerMade(id)
    case "managerRevoked": .managerRevoked(id)
    case "removed": .removed(id)
    case "readmitted": .readmitted(id)
    case "muted": muted.map { .muted(id, $0, $1) }
    case "unmuted": muted.map { .unmuted(id, $0, $1) }
    case "unmuteAsked": fields.field("tracks")?.tracks.map { .unmuteAsked(id, $0) }
    case "unmuteDeclined": .unmuteDeclined(id)
    case "ready": .ready(id)
    case "reported": Session.Change(fields).map { .reported(id, $0) }
    default: nil
    }
  }
}

extension Session.TimerReport {
  fileprivate init?(_ json: JSONValue) {
    guard let state = json.field("state")?.word(Session.TimerState.self) else { return nil }
    let time = { key in json.field(key)?.text.flatMap(WallTime.init(rfc3339:)) }
    self.init(
      state: state, startedAt: time("startedAt"), endsAt: time("endsAt"),
      left: json.field("secondsLeft")?.seconds)
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
  fileprivate init?(_ json: JSONValue) {
    let readings: [(String, (JSONValue) -> Self?)] = [
      ("state", { $0.word(Session.Member.Condition.self).map { .condition($0) } }),
      ("lacks", { $0.tracks.map { .lacking($0) } }), ("muted", { $0.tracks.map { .muted($0) } }),
      ("silent", { $0.flag.map { .silent($0) } }), ("sharesScreen", { $0.flag.map { .sharesScreen($0) } }),
      ("small", { $0.flag.map { .givesSmall($0) } }),
    ]
    for (key, read) in readings {
      if let change = json.field(key).flatMap(read) {
        self = change
        return
      }
    }
    return nil
  }
}
