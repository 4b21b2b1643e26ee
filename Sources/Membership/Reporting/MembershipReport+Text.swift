package import HoldfastMediaModel
import HoldfastSession

extension MembershipReport {
  /// Errors stay until somebody acts.
  package var importance: LinePriority {
    switch self {
    case .superseded, .waiting(.removed), .waiting(.refused): .error
    case .waiting(.hubAway), .waiting(.password), .waiting(.sessionAway), .answered(_, _, .refused),
      .mayUnmute:
      .warning
    case .joined, .hubBack, .over, .left, .roleChanged, .mutedByOthers, .unmuteAsked, .endsAt: .notice
    case .waiting(.leaseOver), .othersReady, .answered(_, _, .done), .answered(_, _, .replaced): .info
    }
  }

  /// For the operator: what happened, and what to do. Nil for what is only asked for, and then done.
  package var text: String? {
    switch self {
    case .joined(let id, let role): "in the session as \(role.rawValue) (\(id))"
    case .waiting(let obstacle): obstacle.text
    case .hubBack: "the hub answers again"
    case .superseded:
      "out of the session for good: another box has joined with the same key; recording and other outputs go on. "
        + "If that was not intended, give each box its own state directory"
    case .over(let reason):
      reason.map { Session.Refusal.sessionOver($0).message } ?? "the session is over"
    case .left: "left the session"
    case .roleChanged(let role): "now \(role.rawValue) of the session"
    case .mutedByOthers(let tracks):
      tracks.isEmpty
        ? "others in the session mute nothing here any more"
        : "\(tracks.words) muted by others in the session"
    case .unmuteAsked(let tracks):
      "the session asks to unmute \(tracks.words): holdfast ctl session answer yes|no"
    case .mayUnmute(let tracks):
      "no hub for \(Session.Limits.lease.wholeSeconds) s: \(tracks.words), muted by others, may be unmuted here"
    case .endsAt(let end):
      end.map { "the session lasts until \($0.rfc3339)" } ?? "the session has no time limit any more"
    case .othersReady(let count): "\(count) others in the session are ready"
    case .answered(let order, _, .refused(let refusal)):
      "\(order.command.word.rawValue) refused: \(refusal.message)\(refusal.hint.map { "; \($0)" } ?? "")"
    case .answered: nil
    }
  }
}

extension Obstacle {
  fileprivate var text: String {
    switch self {
    case .leaseOver: "joining again"
    case .hubAway: "\(reason); recording and outputs go on"
    case .password(isWrong: false): "the session has a password: --session-password, or ask the host for it"
    case .password(isWrong: true):
      "the session's password is wrong: ask the host for it, and give it by holdfast ctl session-password, or in the "
        + "file of --session-password"
    case .sessionAway(let refusal):
      "waiting for the session: \(refusal.message)\(refusal.hint.map { " (\($0))" } ?? "")"
    case .removed:
      "removed from the session: its output is closed, recording and other outputs go on; ask the host to readmit it"
    case .refused(let refusal):
      "the hub refuses the box: \(refusal.message) (\(refusal.code))\(refusal.hint.map { "; \($0)" } ?? "")"
    }
  }
}

extension Set<TrackKind> {
  /// `video and audio`
  fileprivate var words: String { map(\.rawValue).sorted().reversed().joined(separator: " and ") }
}
