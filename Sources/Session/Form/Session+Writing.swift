import HoldfastLifecycle
import HoldfastMediaModel

extension Session {
  /// The version of the stored form; a program reads its own and all earlier ones.
  static let formatVersion: Int64 = 1

  /// What a store keeps: JSON on one line, some 300 bytes a member.
  package var stored: String { json.description }

  private var json: JSONValue {
    .compact([
      ("form", .integer(Self.formatVersion)), ("name", .text(name.text)),
      ("epoch", JSONValue(count: epoch.number)),
      ("began", JSONValue(epoch.began)), ("sequence", JSONValue(count: sequence)),
      ("meeting", meeting?.json ?? .null), ("tombstones", .list(tombstones.map(\.json))),
    ])
  }
}

extension Session.Tombstone {
  fileprivate var json: JSONValue {
    let members = members.sorted { $0.key.text < $1.key.text }
    return .compact([
      ("reason", .text(reason.rawValue)), ("at", JSONValue(endedAt)),
      ("members", .list(members.map { .compact([("id", JSONValue($0.key))] + $0.value.fields) })),
    ])
  }
}

extension Session.Meeting {
  fileprivate var json: JSONValue {
    .compact([
      ("id", JSONValue(id)), ("members", .list(members.map(\.json))), ("removed", .list(removed.map(\.json))),
      ("host", host.json), ("term", JSONValue(count: hostTerm)),
      ("claims", .list(claims.map { JSONValue($0) })),
      ("locked", .bool(isLocked)), ("screensLocked", .bool(screensAreLocked)),
      ("password", JSONValue(password?.text)), ("timer", timer.json), ("job", job?.json ?? .null),
      ("speaker", speaker.map { ["id": JSONValue($0.id), "since": JSONValue($0.since)] } ?? .null),
      ("stage", .list(stage.grids.map(\.stored))),
      ("leaderless", JSONValue(leaderlessSince)), ("empty", JSONValue(emptySince)),
      ("recovers", JSONValue(recoversUntil)),
    ])
  }
}

extension Session.Meeting.Host {
  fileprivate var json: JSONValue {
    switch self {
    case .nobody: .null
    case .held(let id, let why): ["id": JSONValue(id), "why": .text(why.rawValue)]
    case .awaited(let id, let why, let until):
      ["id": JSONValue(id), "why": .text(why.rawValue), "until": JSONValue(until)]
    }
  }
}

extension Session.Meeting.Removal {
  fileprivate var json: JSONValue {
    .compact([("id", JSONValue(id)), ("name", .text(name.text))] + identity.fields)
  }
}

extension Session.Member.Identity {
  fileprivate var fields: [(String, JSONValue)] { [("key", .text(key)), ("token", JSONValue(token))] }
}

extension Session.Member {
  fileprivate var json: JSONValue {
    .compact(
      [
        ("id", JSONValue(id)), ("standing", .text(credential.standing.rawValue)),
        ("kind", .text(kind.rawValue)), ("name", .text(name.text)), ("manager", .bool(isManager)),
        ("bySelf", JSONValue(mute.bySelf)), ("byOthers", JSONValue(mute.byOthers)),
        ("asked", JSONValue(mute.asked)),
        ("condition", reported.condition == .idle ? .null : .text(reported.condition.rawValue)),
        ("muted", JSONValue(reported.muted)), ("lacks", JSONValue(reported.lacking)),
        ("small", .bool(reported.givesSmall)),
        ("ready", .bool(isReady)), ("shares", .bool(sharesScreen)), ("spoke", JSONValue(spokeAt)),
      ] + identity.fields + place.fields)
  }
}

extension Session.Member.Place {
  fileprivate var fields: [(String, JSONValue)] {
    switch self {
    case .present(let lease, let since, let isSilent):
      [("lease", JSONValue(lease)), ("since", JSONValue(since)), ("silent", .bool(isSilent))]
    case .away(let departure, let lastSeen):
      [("away", .text(departure.rawValue)), ("seen", JSONValue(lastSeen))]
    }
  }
}

extension Session.Stage.Grid {
  fileprivate var stored: JSONValue {
    .list(
      places.map { place in
        switch place {
        case .taken(let id, let since): ["id": JSONValue(id), "since": JSONValue(since)]
        case .hole(let id): ["id": JSONValue(id)]
        }
      })
  }
}

extension SessionTimer {
  fileprivate var json: JSONValue {
    let asked = requests.sorted { $0.key < $1.key }
    let run: Run? =
      switch phase {
      case .waiting: nil
      case .running(let run), .over(let run): run
      }
    return .compact([
      ("length", JSONValue(exactly: length)), ("started", JSONValue(exactly: run?.startedAt)),
      ("reported", run?.reported.map(JSONValue.integer) ?? .null),
      (
        "requests",
        .list(asked.map { .compact([("id", .text($0.key)), ("by", JSONValue(exactly: $0.value))]) })
      ),
    ])
  }
}

extension Session.Job {
  fileprivate var json: JSONValue {
    .compact([
      ("id", .text(order.id)), ("broadcast", .text(order.broadcast)),
      ("outputs", .list(order.outputs.map(JSONValue.text))), ("state", .text(state.rawValue)),
      ("reason", JSONValue(reason)), ("begun", .bool(begun)), ("mediaTime", JSONValue(exactly: mediaTime)),
      ("reported", JSONValue(reportedAt)),
      (
        "holder",
        holder.map {
          ["worker": .text($0.worker), "lease": JSONValue($0.lease), "seen": JSONValue($0.lastSeen)]
        } ?? .null
      ),
    ])
  }
}
