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
  package var code: String {
    switch self {
    case .noSuchSession: "noSuchSession"
    case .sessionOver: "sessionOver"
    case .leaseOver: "leaseOver"
    case .superseded: "superseded"
    case .passwordNeeded: "passwordNeeded"
    case .passwordWrong: "passwordWrong"
    case .locked: "locked"
    case .removed: "removed"
    case .full: "full"
    case .tokenFull: "tokenFull"
    case .notAllowed: "notAllowed"
    case .memberNeeded: "memberNeeded"
    case .leaseNeeded: "leaseNeeded"
    case .noSuchMember: "noSuchMember"
    case .badText: "badValue"
    case .mayNotBeHost: "mayNotBeHost"
    case .nothingToReclaim: "nothingToReclaim"
    case .recovering: "recovering"
    case .notRemovable: "notRemovable"
    case .tooManyRemoved: "tooManyRemoved"
    case .notRemoved: "notRemoved"
    case .mutedByOthers: "mutedByOthers"
    case .notAsked: "notAsked"
    case .screensLocked: "screensLocked"
    case .timer(let refusal): refusal.code
    case .onAirAlready: "onAirAlready"
    case .notOnAir: "notOnAir"
    case .jobTaken: "jobTaken"
    }
  }

  /// For people.
  package var message: String {
    switch self {
    case .noSuchSession: "there is no such session"
    case .sessionOver(.ended): "the session was ended for all"
    case .sessionOver(.time): "the session's time is over"
    case .sessionOver(.empty): "the session is over, because nobody was there"
    case .leaseOver: "the lease is over"
    case .superseded: "another one has joined with the same key"
    case .passwordNeeded: "the session has a password"
    case .passwordWrong: "the password is wrong"
    case .locked: "the session is locked"
    case .removed: "the member was removed from the session"
    case .full: "the session has \(Session.Limits.members) members, the most that it can have"
    case .tokenFull:
      "\(Session.Limits.membersOfToken) members are there by the same token, the most that it can bring"
    case .notAllowed(let permission): "the caller may not \(permission.purpose)"
    case .memberNeeded: "the command is a member's own"
    case .leaseNeeded: "the command can't be given for a member without its lease"
    case .noSuchMember: "there is no such member"
    case .badText(let fault): fault.message
    case .mayNotBeHost: "the member can't be host"
    case .nothingToReclaim: "the member did not lose the host's role by being away"
    case .recovering: "the store has begun anew, and the last host may still come back"
    case .notRemovable: "the host, and who may reclaim the role, can't be removed"
    case .tooManyRemoved:
      "\(Session.Limits.removed) members were removed, the most that the session remembers"
    case .notRemoved: "no such member was removed"
    case .mutedByOthers: "the host or a manager has muted the member"
    case .notAsked: "the member was not asked to unmute"
    case .screensLocked: "sharing screens is locked"
    case .timer(let refusal): refusal.message
    case .onAirAlready: "the session is on air"
    case .notOnAir: "the session is not on air by this job"
    case .jobTaken: "another worker has the job"
    }
  }

  /// What to do, for people.
  package var hint: String {
    switch self {
    case .noSuchSession: "a host's token creates it by joining"
    case .sessionOver: "join with a new key if a new session has begun"
    case .leaseOver: "join again with the same key"
    case .superseded: "if that was not intended, give each box its own state directory"
    case .passwordNeeded, .passwordWrong: "ask the host for it"
    case .locked: "ask the host to unlock it"
    case .removed: "ask the host to readmit the member"
    case .full: "wait until a member leaves"
    case .tokenFull: "ask the host for another token, or wait until one of them leaves"
    case .notAllowed: "ask the host"
    case .memberNeeded: "join, or name a member that came by the same token"
    case .leaseNeeded: "send the lease, or name no member"
    case .noSuchMember: "list the members"
    case .badText: "choose another one"
    case .mayNotBeHost: "choose a person or a box with a host's token"
    case .nothingToReclaim: "ask the host to hand the role over"
    case .recovering: "repeat it in \(Session.Limits.lease.wholeSeconds) s"
    case .notRemovable: "hand the role over by command first"
    case .tooManyRemoved: "readmit some of them, or lock the session"
    case .notRemoved: "list who was removed"
    case .mutedByOthers: "ask the host or a manager to unmute it"
    case .notAsked: "unmute instead"
    case .screensLocked: "ask the host or a manager to unlock screens"
    case .timer(let refusal): refusal.hint
    case .onAirAlready: "go off air first"
    case .notOnAir: "list the session's state"
    case .jobTaken: "wait until its lease is over"
    }
  }
}

extension SessionTimer.Refusal {
  fileprivate var code: String {
    switch self {
    case .noLimit: "noLimit"
    case .limitReached: "limitReached"
    case .isOver: "notPossible"
    case .wrongLength: "badValue"
    case .requestUsed: "idUsed"
    case .tooManyRequests: "tooManyRequests"
    }
  }

  fileprivate var message: String {
    switch self {
    case .noLimit: "the session has no limit to extend"
    case .limitReached: "the session can't last as long as that"
    case .isOver: "the session's time is over"
    case .wrongLength: "the length is out of range"
    case .requestUsed: "the id was used for another length"
    case .tooManyRequests: "the session was extended too often"
    }
  }

  fileprivate var hint: String {
    switch self {
    case .noLimit: "limit it first"
    case .limitReached(let left): "use at most \(left)"
    case .isOver: "begin a new session"
    case .wrongLength: "use a length later than now, and at most 366 days; end the session to end it now"
    case .requestUsed: "use a new id"
    case .tooManyRequests: "set a new limit"
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
