import HoldfastSession

/// Why a member is not in the session, or does not hear of it.
package enum Obstacle: Hashable, Sendable {
  case leaseOver
  case hubAway(HubFailure)
  case password(isWrong: Bool)
  /// It does not exist, or is locked or full.
  case sessionAway(HubRefusal)
  case removed
  /// By the token, or by something else that only somebody can change.
  case refused(HubRefusal)

  init(_ failure: HubFailure) {
    switch (failure.remedy, failure) {
    case (.retrySlowly, .refused(let refusal)): self = .refused(refusal)
    case (_, _): self = .hubAway(failure)
    }
  }

  /// The state in event lines, a stable interface.
  package var state: String {
    switch self {
    case .leaseOver: "joining"
    case .hubAway: "hubAway"
    case .password: "passwordNeeded"
    case .sessionAway: "absent"
    case .removed: "removed"
    case .refused: "refused"
    }
  }

  /// A word for programs, a stable interface: the hub's, where it has answered.
  package var code: String {
    switch self {
    case .leaseOver: "leaseOver"
    case .hubAway(let failure): failure.code
    case .sessionAway(let refusal), .refused(let refusal): refusal.code
    case .password(let isWrong): isWrong ? "passwordWrong" : "passwordNeeded"
    case .removed: "removed"
    }
  }

  /// For people.
  package var reason: String {
    switch self {
    case .leaseOver: Session.Refusal.leaseOver.message
    case .hubAway(let failure): failure.reason
    case .password(let isWrong):
      isWrong ? Session.Refusal.passwordWrong.message : Session.Refusal.passwordNeeded.message
    case .sessionAway(let refusal), .refused(let refusal): refusal.message
    case .removed: Session.Refusal.removed.message
    }
  }
}
