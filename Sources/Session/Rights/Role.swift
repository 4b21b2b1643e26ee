extension Session {
  /// A member's role in the session.
  package enum Role: String, Hashable, Sendable, CaseIterable {
    case host, manager, participant

    package var permissions: Set<Permission> {
      switch self {
      case .host: Set(Permission.allCases).subtracting([.join, .work])
      case .manager:
        Role.participant.permissions.union([.renameOthers, .muteOthers, .remove, .lockScreens])
      case .participant: [.see, .renameSelf, .muteSelf, .shareScreen, .ready, .sendEvent, .leave]
      }
    }
  }

  /// What a command needs. The raw values appear in refusals, a stable interface.
  package enum Permission: String, Hashable, Sendable, CaseIterable {
    case join
    case see
    case renameSelf, renameOthers
    case muteSelf, muteOthers
    case shareScreen, lockScreens
    case ready
    case sendEvent
    case leave
    case remove, readmit
    case lock
    case setPassword
    case setTime
    /// Hand the host's role over.
    case transferHost
    case makeManagers
    case goOnAir
    /// End the session for all.
    case end
    /// Take jobs and report on them.
    case work

    /// For people: `may not …`.
    package var purpose: String {
      switch self {
      case .join: "join"
      case .see: "see the session"
      case .renameSelf: "rename oneself"
      case .renameOthers: "rename others"
      case .muteSelf: "mute oneself"
      case .muteOthers: "mute and unmute others"
      case .shareScreen: "share a screen"
      case .lockScreens: "lock and unlock screens"
      case .ready: "say ready"
      case .sendEvent: "send events"
      case .leave: "leave"
      case .remove: "remove members"
      case .readmit: "readmit removed members"
      case .lock: "lock and unlock the session"
      case .setPassword: "set the password"
      case .setTime: "limit and extend the session"
      case .transferHost: "hand the host's role over"
      case .makeManagers: "make and revoke managers"
      case .goOnAir: "go on and off air"
      case .end: "end the session for all"
      case .work: "take jobs"
      }
    }
  }
}

extension Session.Standing {
  /// Without a role, so also for commands of somebody who has not joined.
  package var permissions: Set<Session.Permission> {
    switch self {
    case .host: Session.Role.host.permissions.union([.join])
    // What lock and password protect is for members, and for the tokens that they came by.
    case .participant: Session.Role.participant.permissions.union([.join]).subtracting([.see, .sendEvent])
    case .worker: [.see, .join, .work]
    case .operator: [.see, .end]
    case .local: Session.Role.host.permissions.union([.join, .work])
    }
  }
}
