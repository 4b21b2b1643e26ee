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
  package var name: String { line.name }

  /// Besides the name.
  package var fields: [JSONValue.Field] { line.json.fields }

  private var line: (name: String, json: JSONValue) {
    switch self {
    case .joined(let id, let role): Self.session("joined", member: id, role: role)
    case .waiting(let obstacle): Self.session(obstacle.state, code: obstacle.code, why: obstacle.reason)
    case .hubBack: Self.session("hubBack")
    case .superseded:
      Self.session(
        "superseded", code: Session.Refusal.superseded.code, why: Session.Refusal.superseded.message)
    case .over(let reason):
      Self.session(
        "over", code: reason?.rawValue, why: reason.map { Session.Refusal.sessionOver($0).message })
    case .left: Self.session("left")
    case .roleChanged(let role): ("sessionRole", ["role": .text(role.rawValue)])
    case .mutedByOthers(let tracks): ("sessionMute", ["tracks": JSONValue(tracks)])
    case .unmuteAsked(let tracks): ("unmuteAsked", ["tracks": JSONValue(tracks)])
    case .mayUnmute(let tracks): ("mayUnmute", ["tracks": JSONValue(tracks)])
    case .endsAt(let end): ("sessionTime", ["endsAt": JSONValue(end?.rfc3339)])
    case .othersReady(let count): ("othersReady", ["count": JSONValue(count)])
    case .answered(let order, let id, let answer):
      (
        "sessionCommand",
        ["command": .text(order.command.word.rawValue), "requestId": .text(id)] + answer.json
      )
    }
  }

  private static func session(
    _ state: String, member: Session.Member.ID? = nil, role: Session.Role? = nil, code: String? = nil,
    why: String? = nil
  ) -> (name: String, json: JSONValue) {
    (
      "session",
      [
        "state": .text(state), "member": JSONValue(member?.text), "role": JSONValue(role?.rawValue),
        "code": JSONValue(code), "why": JSONValue(why),
      ]
    )
  }
}

extension MembershipReport.Answer {
  fileprivate var json: JSONValue {
    let (state, code, why): (String, String?, String?) =
      switch self {
      case .done: ("done", nil, nil)
      case .replaced: ("replaced", nil, nil)
      case .refused(let refusal): ("refused", refusal.code, refusal.message)
      }
    return ["state": .text(state), "code": JSONValue(code), "why": JSONValue(why)]
  }
}
