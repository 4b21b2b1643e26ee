import HoldfastMediaModel
package import HoldfastMembership
package import HoldfastSession

/// What the threads of a person's membership know of it: the lease, and which events were shown.
struct PersonKnowledge: Sendable {
  enum Standing: Hashable, Sendable {
    case joining
    case joined(lease: String)
    /// Nil where it left.
    case out(HubFailure?)
  }

  private(set) var standing = Standing.joining
  private var answer: Session.JoinAnswer?
  /// The last event that was shown.
  private var seen: EventID?

  /// An outcome that the machine is about to get; what to show of it.
  mutating func note(_ event: MembershipMachine.Event) -> PersonLink.Report? {
    switch event {
    case .joined(_, let answer): self.answer = answer
    case .beaten(_, let answer):
      if case .joined = standing { standing = .joined(lease: answer.place.lease) }
    case .streamed(_, let event): return show(event)
    case .started, .timePassed, .networkChanged, .reported, .measured, .screenShown, .screenSwitched,
      .sourcesOpened, .ordered, .passwordGiven, .leaveRequested, .broadcastEnded, .broadcastRenewed,
      .commanded, .left, .failed, .streamOpened, .streamClosed:
      break
    }
    return nil
  }

  private mutating func show(_ event: HubEvent) -> PersonLink.Report? {
    // The end of a stream is the membership's business.
    if event.isEndOfStream { return nil }
    if let id = event.id {
      if let seen, id <= seen { return nil }
      seen = id
    }
    return event.isReset ? .state(event.data) : .event(event)
  }

  /// What the machine has found; what to show with it.
  mutating func note(_ report: MembershipReport) -> PersonLink.Report? {
    switch report {
    case .joined:
      guard let answer else { return nil }
      standing = .joined(lease: answer.place.lease)
      seen = EventID(answer.place.lastEvent)
      return .state(answer.state)
    case .waiting(let obstacle): note(obstacle)
    case .superseded: standing = .out(.refused(HubRefusal(Session.Refusal.superseded)))
    case .over(let reason):
      standing = .out(.refused(HubRefusal(Session.Refusal.sessionOver(reason ?? .ended))))
    case .left: standing = .out(nil)
    case .hubBack, .roleChanged, .mutedByOthers, .unmuteAsked, .mayUnmute, .endsAt, .othersReady, .answered:
      break
    }
    return nil
  }

  private mutating func note(_ obstacle: Obstacle) {
    switch obstacle {
    // The lease may still be good.
    case .hubAway: break
    case .leaseOver: standing = .joining
    case .removed: standing = .out(.refused(HubRefusal(Session.Refusal.removed)))
    case .password, .sessionAway, .refused: standing = .out(.refused(.notJoined))
    }
  }

  /// The hub has refused this lease.
  mutating func lose(_ lease: String) {
    if standing == .joined(lease: lease) { standing = .joining }
  }
}

extension HubRefusal {
  package static let notJoined = HubRefusal(409, "notInSession", "not in the session", hint: "join it first")

  package init(_ refusal: Session.Refusal) { self.init(0, refusal.code, refusal.message, hint: refusal.hint) }
}
