import HoldfastMediaModel
import HoldfastMembership
import HoldfastPlatform
import HoldfastSession

/// A member that has neither pictures nor sound of its own.
struct PersonEnvironment: ConnectedEnvironment {
  var hub: HubConnections
  let knowledge: Locked<PersonKnowledge>
  let observe: @Sendable (PersonLink.Report) -> Void
  let post: @Sendable (MembershipMachine.Event) -> Void

  /// A password comes with `use(password:)`.
  func askPassword(isWrong: Bool) {}

  /// The key is the caller's to keep.
  func remember(_ record: MembershipRecord) {}

  /// There is nothing to mute, so that it is so at once.
  func mute(_ tracks: Set<TrackKind>) { post(.reported(Session.Member.Report(muted: tracks))) }

  func showScreen(_ isShown: Bool) { post(.screenSwitched(isShown: isShown)) }
  func publish(_ rendition: Session.Rendition, to address: String) {}
  func unpublish(_ rendition: Session.Rendition) {}
  func endBroadcast() {}

  func report(_ report: MembershipReport) {
    let shown = knowledge.withLock { $0.note(report) }
    observe(.membership(report))
    if let shown { observe(shown) }
    switch report {
    // Never back by itself.
    case .superseded, .over: post(.broadcastEnded)
    case .joined, .waiting, .hubBack, .left, .roleChanged, .mutedByOthers, .unmuteAsked, .mayUnmute, .endsAt,
      .othersReady, .answered:
      break
    }
  }

  func show(_ snapshot: MembershipSnapshot) {}
}
