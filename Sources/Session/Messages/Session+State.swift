package import HoldfastMediaModel

extension Session {
  /// The session as members see it: without keys, leases, hashes and the addresses of outputs.
  package func state(
    version: String, beats: [Lease: WallTime] = [:], statistics: [Lease: String] = [:], at now: WallTime
  ) -> JSONValue {
    let head: JSONValue = [
      "name": .text(name.text), "version": .text(version), "epoch": JSONValue(count: epoch.number),
      "at": .text(now.rfc3339),
    ]
    guard let meeting else {
      return head + ["ended": JSONValue(tombstones.last?.reason.rawValue), "members": .list([])]
    }
    let members = meeting.present.map { meeting.state(of: $0, beats: beats, statistics: statistics) }
    return head + meeting.state(at: now) + ["members": .list(members)]
  }
}

extension Session.Meeting {
  fileprivate func state(at now: WallTime) -> JSONValue {
    [
      "host": JSONValue(hostID?.text), "locked": .bool(isLocked), "screensLocked": .bool(screensAreLocked),
      "hasPassword": .bool(password != nil), "timer": timerReport(.running, at: now).times,
      "speaker": JSONValue(speaker?.id.text), "stage": .list(stage.grids.map(\.shown.json)),
      "onAir": job?.shown ?? .null, "mayReclaim": .list(claims.map { JSONValue($0) }),
      "away": .list(members.filter { !$0.isPresent }.map(awayState)),
      "removed": .list(removed.map { ["id": JSONValue($0.id), "name": .text($0.name.text)] }),
    ]
  }

  private func awayState(_ member: Session.Member) -> JSONValue {
    guard case .away(let why, let lastSeen) = member.place else { return .null }
    return [
      "id": JSONValue(member.id), "name": .text(member.name.text), "kind": .text(member.kind.rawValue),
      "role": .text(role(of: member).rawValue), "why": .text(why.rawValue),
      "lastSeen": .text(lastSeen.rfc3339),
    ]
  }

  fileprivate func state(
    of member: Session.Member, beats: [Session.Lease: WallTime], statistics: [Session.Lease: String]
  ) -> JSONValue {
    let lease = member.lease
    let said = lease.flatMap { statistics[$0] }.flatMap { try? JSONValue(reading: Array($0.utf8).span) }
    let state: JSONValue = [
      "id": JSONValue(member.id), "name": .text(member.name.text), "kind": .text(member.kind.rawValue),
      "role": .text(role(of: member).rawValue), "state": .text(member.reported.condition.rawValue),
      "silent": .bool(member.isSilent), "lastBeat": JSONValue(lease.flatMap { beats[$0] }?.rfc3339),
      "lacks": JSONValue(member.reported.lacking),
      "muted": JSONValue(member.mute.muted), "mutedBySelf": JSONValue(member.mute.bySelf),
      "mutedByOthers": JSONValue(member.mute.byOthers), "reportedMuted": JSONValue(member.reported.muted),
      "unmuteAsked": JSONValue(member.mute.asked), "ready": .bool(member.isReady),
      "sharesScreen": .bool(member.sharesScreen), "statistics": said ?? .null,
    ]
    return state + .compact([("small", .bool(member.reported.givesSmall))])
  }
}

extension Session.Job {
  fileprivate var shown: JSONValue {
    [
      "job": .text(order.id), "state": .text(state.rawValue), "reason": JSONValue(reason),
      "mediaTime": JSONValue(mediaTime), "outputs": .integer(Int64(order.outputs.count)),
    ]
  }
}

extension Session.Meeting {
  /// Until when it lasts; nil without a limit, or before its first member is live.
  package func end(at now: WallTime) -> WallTime? { timerReport(.running, at: now).endsAt }

  /// What the session wants of a member.
  package func desired(of member: Session.Member) -> Session.Desired {
    Session.Desired(mute: member.mute, sharesScreen: member.sharesScreen)
  }

  /// What a member was, for the time after the store has forgotten it.
  package func proof(of member: Session.Member) -> Session.Proof? {
    member.lease.map { lease in
      Session.Proof(
        meeting: id, id: member.id, lease: lease, isManager: member.isManager,
        hostTerm: member.id == hostID ? hostTerm : nil)
    }
  }
}

extension Session.Stage.Shown {
  /// As states and events show it: holes are null.
  var json: JSONValue {
    [
      "capacity": .integer(Int64(capacity.rawValue)), "rows": .integer(Int64(shape.rows)),
      "columns": .integer(Int64(shape.columns)), "places": .list(places.map { JSONValue($0?.text) }),
    ]
  }

  package init?(_ json: JSONValue) {
    guard let size = json.field("capacity")?.integer,
      let capacity = Session.Stage.Capacity(rawValue: Int(size)),
      let places = json.field("places")?.elements
    else { return nil }
    self.init(capacity: capacity, places: places.map(\.memberID))
  }
}
