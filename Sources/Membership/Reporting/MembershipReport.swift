package import HoldfastMediaModel
package import HoldfastSession

/// What a member tells the operator and programs.
package enum MembershipReport: Hashable, Sendable {
  case joined(Session.Member.ID, Session.Role)
  /// Not in the session, or without its hub; it is tried on.
  case waiting(Obstacle)
  case hubBack
  case superseded
  case over(Session.EndReason?)
  case left
  case roleChanged(Session.Role)
  /// All that others mute now.
  case mutedByOthers(Set<TrackKind>)
  case unmuteAsked(Set<TrackKind>)
  /// No hub for a lease: what others muted may be unmuted on the box.
  case mayUnmute(Set<TrackKind>)
  case endsAt(WallTime?)
  case othersReady(Int)
  case answered(MembershipMachine.Order, id: String, Answer)

  package enum Answer: Hashable, Sendable {
    case done
    /// A later order says the same or the opposite.
    case replaced
    case refused(HubRefusal)
  }
}

// MARK: - Event lines

extension MembershipReport {
  /// The name in event lines, a stable interface.
  package var name: String {
    switch self {
    case .joined, .waiting, .hubBack, .superseded, .over, .left: "session"
    case .roleChanged: "sessionRole"
    case .mutedByOthers: "sessionMute"
    case .unmuteAsked: "unmuteAsked"
    case .mayUnmute: "mayUnmute"
    case .endsAt: "sessionTime"
    case .othersReady: "othersReady"
    case .answered: "sessionCommand"
    }
  }

  /// Besides the name.
  package var fields: [JSONValue.Field] {
    switch self {
    case .joined(let id, let role):
      Self.session("joined", member: id, role: role)
    case .waiting(let obstacle): Self.session(obstacle.state, code: obstacle.code, why: obstacle.reason)
    case .hubBack: Self.session("hubBack")
    case .superseded:
      Self.session(
        "superseded", code: Session.Refusal.superseded.code, why: Session.Refusal.superseded.message)
    case .over(let reason):
      Self.session(
        "over", code: reason?.rawValue, why: reason.map { Session.Refusal.sessionOver($0).message })
    case .left: Self.session("left")
    case .roleChanged(let role): [JSONValue.Field("role", .text(role.rawValue))]
    case .mutedByOthers(let tracks), .unmuteAsked(let tracks), .mayUnmute(let tracks):
      [JSONValue.Field("tracks", JSONValue(tracks))]
    case .endsAt(let end): [JSONValue.Field("endsAt", JSONValue(end?.rfc3339))]
    case .othersReady(let count): [JSONValue.Field("count", .integer(Int64(count)))]
    case .answered(let order, let id, let answer):
      [
        JSONValue.Field("command", .text(order.command.word.rawValue)),
        JSONValue.Field("requestId", .text(id)),
      ] + answer.fields
    }
  }

  private static func session(
    _ state: String, member: Session.Member.ID? = nil, role: Session.Role? = nil, code: String? = nil,
    why: String? = nil
  ) -> [JSONValue.Field] {
    [
      JSONValue.Field("state", .text(state)), JSONValue.Field("member", JSONValue(member?.text)),
      JSONValue.Field("role", JSONValue(role?.rawValue)), JSONValue.Field("code", JSONValue(code)),
      JSONValue.Field("why", JSONValue(why)),
    ]
  }
}

extension MembershipReport.Answer {
  fileprivate var fields: [JSONValue.Field] {
    let (state, code, why): (String, String?, String?) =
      switch self {
      case .done: ("done", nil, nil)
      case .replaced: ("replaced", nil, nil)
      case .refused(let refusal): ("refused", refusal.code, refusal.message)
      }
    return [
      JSONValue.Field("state", .text(state)), JSONValue.Field("code", JSONValue(code)),
      JSONValue.Field("why", JSONValue(why)),
    ]
  }
}
