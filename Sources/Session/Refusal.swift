package import HoldfastLifecycle
import HoldfastMediaModel

extension Session {
  /// Why a command is refused; nothing has changed.
  package enum Refusal: Error, Hashable, Sendable {
    case noSuchSession
    case sessionOver(EndReason)
    /// Expired, or of an earlier epoch: join again at once, with the same key.
    case leaseOver
    /// A newer join of the same key: leave the session for good.
    case superseded
    case passwordNeeded, passwordWrong
    case locked
    case removed
    case full
    /// As many members are there by the same token as may be.
    case tokenFull
    case notAllowed(Permission)
    /// The command is a member's own; name one that came by the same token.
    case memberNeeded
    /// A token gives only some commands for a member that came by it.
    case leaseNeeded
    case noSuchMember
    case badText(TextFault)
    case mayNotBeHost
    case nothingToReclaim
    /// The store has forgotten something, perhaps who was host.
    case recovering
    /// The host, or somebody who may reclaim the role.
    case notRemovable
    case tooManyRemoved
    case notRemoved
    case mutedByOthers
    case notAsked
    case screensLocked
    case timer(SessionTimer.Refusal)
    case onAirAlready
    case notOnAir
    case jobTaken
  }
}

extension Session.Refusal {
  /// A word for programs, a stable interface.
  package var code: String { words.code }

  /// For people.
  package var message: String { words.message }

  /// What to do, for people.
  package var hint: String { words.hint }

  private var words: (code: String, message: String, hint: String) {
    switch self {
    case .noSuchSession: ("noSuchSession", "there is no such session", "a host's token creates it by joining")
    case .sessionOver(let reason):
      ("sessionOver", reason.message, "join with a new key if a new session has begun")
    case .leaseOver: ("leaseOver", "the lease is over", "join again with the same key")
    case .superseded:
      (
        "superseded", "another one has joined with the same key",
        "if that was not intended, give each box its own state directory"
      )
    case .passwordNeeded: ("passwordNeeded", "the session has a password", "ask the host for it")
    case .passwordWrong: ("passwordWrong", "the password is wrong", "ask the host for it")
    case .locked: ("locked", "the session is locked", "ask the host to unlock it")
    case .removed:
      ("removed", "the member was removed from the session", "ask the host to readmit the member")
    case .full:
      (
        "full", "the session has \(Session.Limits.members) members, the most that it can have",
        "wait until a member leaves"
      )
    case .tokenFull:
      (
        "tokenFull",
        "\(Session.Limits.membersOfToken) members are there by the same token, the most that it can bring",
        "ask the host for another token, or wait until one of them leaves"
      )
    case .notAllowed(let permission):
      ("notAllowed", "the caller may not \(permission.purpose)", "ask the host")
    case .memberNeeded:
      (
        "memberNeeded", "the command is a member's own",
        "join, or name a member that came by the same token"
      )
    case .leaseNeeded:
      (
        "leaseNeeded", "the command can't be given for a member without its lease",
        "send the lease, or name no member"
      )
    case .noSuchMember: ("noSuchMember", "there is no such member", "list the members")
    case .badText(let fault): ("badValue", fault.message, "choose another one")
    case .mayNotBeHost:
      ("mayNotBeHost", "the member can't be host", "choose a person or a box with a host's token")
    case .nothingToReclaim:
      (
        "nothingToReclaim", "the member did not lose the host's role by being away",
        "ask the host to hand the role over"
      )
    case .recovering:
      (
        "recovering", "the store has begun anew, and the last host may still come back",
        "repeat it in \(Session.Limits.lease.wholeSeconds) s"
      )
    case .notRemovable:
      (
        "notRemovable", "the host, and who may reclaim the role, can't be removed",
        "hand the role over by command first"
      )
    case .tooManyRemoved:
      (
        "tooManyRemoved",
        "\(Session.Limits.removed) members were removed, the most that the session remembers",
        "readmit some of them, or lock the session"
      )
    case .notRemoved: ("notRemoved", "no such member was removed", "list who was removed")
    case .mutedByOthers:
      (
        "mutedByOthers", "the host or a manager has muted the member",
        "ask the host or a manager to unmute it"
      )
    case .notAsked: ("notAsked", "the member was not asked to unmute", "unmute instead")
    case .screensLocked:
      ("screensLocked", "sharing screens is locked", "ask the host or a manager to unlock screens")
    case .timer(let refusal): refusal.words
    case .onAirAlready: ("onAirAlready", "the session is on air", "go off air first")
    case .notOnAir: ("notOnAir", "the session is not on air by this job", "list the session's state")
    case .jobTaken: ("jobTaken", "another worker has the job", "wait until its lease is over")
    }
  }
}

extension Session.EndReason {
  fileprivate var message: String {
    switch self {
    case .ended: "the session was ended for all"
    case .time: "the session's time is over"
    case .empty: "the session is over, because nobody was there"
    }
  }
}

extension SessionTimer.Refusal {
  fileprivate var words: (code: String, message: String, hint: String) {
    switch self {
    case .noLimit: ("noLimit", "the session has no limit to extend", "limit it first")
    case .limitReached(let left):
      ("limitReached", "the session can't last as long as that", "use at most \(left)")
    case .isOver: ("notPossible", "the session's time is over", "begin a new session")
    case .wrongLength:
      (
        "badValue", "the length is out of range",
        "use a length later than now, and at most 366 days; end the session to end it now"
      )
    case .requestUsed: ("idUsed", "the id was used for another length", "use a new id")
    case .tooManyRequests: ("tooManyRequests", "the session was extended too often", "set a new limit")
    }
  }
}

extension Session.TextFault {
  package var message: String {
    switch problem {
    case .empty: "\(subject.rawValue) is empty"
    case .tooLong(let limit, let unit): "\(subject.rawValue) has more than \(limit) \(unit)"
    case .forbidden(let reason): "\(subject.rawValue) \(reason)"
    }
  }
}
