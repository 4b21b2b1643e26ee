package import HoldfastMediaModel

extension Session {
  /// What somebody wants of the session. A member named nil is the caller itself.
  package enum Command: Hashable, Sendable {
    case join(Join)
    /// What the member says of itself.
    case report(Member.Report)
    case rename(Member.ID?, DisplayName)
    /// Hands the host's role over.
    case host(Member.ID)
    case reclaim
    case manager(Member.ID)
    case revoke(Member.ID)
    case remove(Member.ID)
    case readmit(Member.ID)
    case mute(Member.ID?, Set<TrackKind>)
    case unmute(Member.ID?, Set<TrackKind>)
    /// The answer to being asked to unmute oneself.
    case answer(Bool)
    case muteAll(Set<TrackKind>)
    case lock, unlock
    case lockScreens, unlockScreens
    case share, unshare
    /// Nil lifts it.
    case password(PasswordHash?)
    /// Nil lifts it.
    case limit(MediaTime?)
    case extend(MediaTime, request: String)
    case ready
    case event(CustomEvent)
    case live(JobOrder)
    case offAir
    /// By a worker: take the job, or take it again.
    case take(job: String, worker: String)
    /// By a worker: renew the job's lease and say how it goes.
    case work(Lease, WorkReport)
    case leave
    /// End the session for all.
    case end

    /// The word that is typed, and the value of `command` in requests.
    package enum Word: String, Hashable, Sendable, CaseIterable {
      case join, report, rename, host, reclaim, manager, revoke, remove, readmit, mute, unmute, answer
      case muteAll = "mute-all"
      case lock, unlock
      case lockScreens = "lock-screens"
      case unlockScreens = "unlock-screens"
      case share, unshare, password, limit, extend, ready, event, live
      case offAir = "off-air"
      case take, work, leave, end
    }

    package var word: Word {
      switch self {
      case .join: .join
      case .report: .report
      case .rename: .rename
      case .host: .host
      case .reclaim: .reclaim
      case .manager: .manager
      case .revoke: .revoke
      case .remove: .remove
      case .readmit: .readmit
      case .mute: .mute
      case .unmute: .unmute
      case .answer: .answer
      case .muteAll: .muteAll
      case .lock: .lock
      case .unlock: .unlock
      case .lockScreens: .lockScreens
      case .unlockScreens: .unlockScreens
      case .share: .share
      case .unshare: .unshare
      case .password: .password
      case .limit: .limit
      case .extend: .extend
      case .ready: .ready
      case .event: .event
      case .live: .live
      case .offAir: .offAir
      case .take: .take
      case .work: .work
      case .leave: .leave
      case .end: .end
      }
    }

    /// Whether a token that a member came by gives the command for it, without its lease.
    func needsNoLease(of id: Member.ID) -> Bool {
      switch permission(of: id) {
      case .ready, .muteSelf, .shareScreen, .leave: true
      case nil: self == .reclaim
      case .some: false
      }
    }

    /// Nil for what every member may, and nobody else.
    func permission(of caller: Member.ID?) -> Permission? {
      func oneself(_ target: Member.ID?) -> Bool { target == nil || target == caller }
      return switch self {
      case .report, .reclaim: nil
      case .join: .join
      case .rename(let target, _): oneself(target) ? .renameSelf : .renameOthers
      case .mute(let target, _), .unmute(let target, _): oneself(target) ? .muteSelf : .muteOthers
      case .answer: .muteSelf
      case .muteAll: .muteOthers
      case .share, .unshare: .shareScreen
      case .lockScreens, .unlockScreens: .lockScreens
      case .ready: .ready
      case .event: .sendEvent
      case .leave: .leave
      case .remove: .remove
      case .readmit: .readmit
      case .lock, .unlock: .lock
      case .password: .setPassword
      case .limit, .extend: .setTime
      case .host: .transferHost
      case .manager, .revoke: .makeManagers
      case .live, .offAir: .goOnAir
      case .end: .end
      case .take, .work: .work
      }
    }
  }

  /// A join, with what the rules can't find out themselves.
  package struct Join: Hashable, Sendable {
    /// A hash of the member's random key.
    package var key: String
    package var name: DisplayName
    package var kind: Member.Kind
    /// The id that the member gets if it is a new one.
    package var id: Member.ID
    /// Against the hash of the state that the command is applied to.
    package var password = PasswordVerdict.notGiven
    /// What protects the session if this join creates it.
    package var newPassword: PasswordHash?
    /// Every token may create a session.
    package var anyoneCreates = false
    /// What others muted, and the member lifted while it had no hub for a lease.
    package var lifted: Set<TrackKind> = []
    /// The last beat that the store knows of this member.
    package var lastBeat: WallTime?
    package var proof: Proof?

    package init(key: String, name: DisplayName, kind: Member.Kind, id: Member.ID) {
      self.key = key
      self.name = name
      self.kind = kind
      self.id = id
    }
  }

  /// What a member was in an earlier epoch, signed by the hubs' secret.
  package struct Proof: Hashable, Sendable {
    /// The meeting that the member was in.
    package let meeting: Lease
    package let id: Member.ID
    package let lease: Lease
    package let isManager: Bool
    /// The number of the host's term, if the member was the host.
    package let hostTerm: UInt64?

    package init(
      meeting: Lease, id: Member.ID, lease: Lease, isManager: Bool = false, hostTerm: UInt64? = nil
    ) {
      self.meeting = meeting
      self.id = id
      self.lease = lease
      self.isManager = isManager
      self.hostTerm = hostTerm
    }
  }
}
