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
}
