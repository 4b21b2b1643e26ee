package import HoldfastMediaModel
package import HoldfastSession

/// How it is with a member, for status.
package struct MembershipSnapshot: Hashable, Sendable {
  package let address: String
  /// As in event lines.
  package let state: String
  package let member: Session.Member.ID?
  package let role: Session.Role?
  package let muted: Set<TrackKind>
  package let mutedByOthers: Set<TrackKind>
  package let asked: Set<TrackKind>
  package let endsAt: WallTime?
  package let othersReady: Int
  /// Since when nothing has been heard of a hub that had the member in.
  package let heard: MonotonicTime
  /// For people; nil while nothing is wrong.
  package let why: String?

  package func json(at now: Instant) -> JSONValue {
    [
      "url": .text(address), "state": .text(state), "member": JSONValue(member?.text),
      "role": JSONValue(role?.rawValue), "muted": JSONValue(muted),
      "mutedByOthers": JSONValue(mutedByOthers), "unmuteAsked": JSONValue(asked),
      "endsAt": JSONValue(endsAt?.rfc3339), "othersReady": .integer(Int64(othersReady)),
      "lastHeard": .text((now.wall - (now.monotonic - heard)).rfc3339), "why": JSONValue(why),
    ]
  }
}

extension MembershipMachine {
  package var snapshot: MembershipSnapshot {
    MembershipSnapshot(
      address: settings.address, state: stateName, member: memberInSession, role: role,
      muted: mutes.muted(with: orders), mutedByOthers: mutes.byOthers, asked: mutes.asked, endsAt: endsAt,
      othersReady: othersReady.count, heard: lastHeard, why: why)
  }

  private var stateName: String {
    switch state {
    case .idle: "joining"
    case .joining(let joining): joining.obstacle?.state ?? "joining"
    case .joined(let joined): joined.trouble.map { Obstacle($0.last).state } ?? "joined"
    case .leaving: "leaving"
    case .superseded: "superseded"
    case .over: "over"
    case .left, .finished: "left"
    }
  }

  private var memberInSession: Session.Member.ID? {
    guard case .joined(let joined) = state else { return nil }
    return joined.member
  }

  private var lastHeard: MonotonicTime {
    switch contact {
    case .heard(let at): at
    case .alone(let since): since - Session.Limits.lease
    }
  }

  private var why: String? {
    switch state {
    case .joining(let joining): joining.obstacle?.reason
    case .joined(let joined): joined.trouble?.last.reason
    case .superseded: Session.Refusal.superseded.message
    case .over(let reason): reason.map { Session.Refusal.sessionOver($0).message }
    case .idle, .leaving, .left, .finished: nil
    }
  }
}
