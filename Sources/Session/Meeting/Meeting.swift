package import HoldfastLifecycle
package import HoldfastMediaModel

extension Session {
  /// A session from its first join to its end.
  package struct Meeting: Hashable, Sendable {
    /// The lease of the join that created it.
    package internal(set) var id: Lease
    /// Who is in it and who has gone away, in the order of their first joins.
    package internal(set) var members: [Member] = []
    package internal(set) var removed: [Removal] = []
    package internal(set) var host = Host.nobody
    /// How often the host has changed.
    package internal(set) var hostTerm: UInt64 = 0
    /// Who lost the host's role by being away, the earliest first.
    package internal(set) var claims: [Member.ID] = []
    package internal(set) var isLocked = false
    package internal(set) var screensAreLocked = false
    package internal(set) var password: PasswordHash?
    package internal(set) var timer: SessionTimer
    package internal(set) var job: Job?
    /// Nil before anybody has spoken, and once who did so is gone or muted.
    package internal(set) var speaker: Session.Speaker?
    package internal(set) var stage = Session.Stage()
    /// Since when neither host nor manager is there; nil while one is.
    package internal(set) var leaderlessSince: WallTime?
    /// Since when neither a box nor a person is there; nil while one is.
    package internal(set) var emptySince: WallTime?
    /// Until then only who proves it was host becomes host.
    package internal(set) var recoversUntil: WallTime?

    package enum Host: Hashable, Sendable {
      case nobody
      case held(Member.ID, HostChange)
      /// Its lease is over; it is still host if it returns until then.
      case awaited(Member.ID, HostChange, until: WallTime)
    }

    package struct Removal: Hashable, Sendable {
      package let id: Member.ID
      package let name: DisplayName
      package let identity: Member.Identity

      /// A token's holder stays removed whatever key it makes.
      func applies(to other: Member.Identity) -> Bool {
        if let token = identity.token { return token == other.token }
        return other.token == nil && identity.key == other.key
      }
    }

    init(id: Lease, password: PasswordHash?, recoversUntil: WallTime?, at now: WallTime) {
      self.id = id
      self.password = password
      self.recoversUntil = recoversUntil
      timer = SessionTimer(Self.timerSettings)
      leaderlessSince = now
      emptySince = now
    }

    static var timerSettings: SessionTimer.Settings {
      var settings = SessionTimer.Settings()
      settings.alertBefore = Limits.alert
      return settings
    }
  }
}

// MARK: - Members

extension Session.Meeting {
  package subscript(id: Session.Member.ID) -> Session.Member? { members.first { $0.id == id } }

  package var present: [Session.Member] { members.filter(\.isPresent) }

  /// Also while it is awaited.
  package var hostID: Session.Member.ID? {
    switch host {
    case .nobody: nil
    case .held(let id, _), .awaited(let id, _, _): id
    }
  }

  package func role(of member: Session.Member) -> Session.Role {
    if member.id == hostID { return .host }
    return member.isManager ? .manager : .participant
  }

  func isLeader(_ member: Session.Member) -> Bool { role(of: member) != .participant }

  func index(of id: Session.Member.ID) throws(Session.Refusal) -> Int {
    guard let index = members.firstIndex(where: { $0.id == id }) else { throw .noSuchMember }
    return index
  }

  func presentIndex(of id: Session.Member.ID) throws(Session.Refusal) -> Int {
    let index = try index(of: id)
    guard members[index].isPresent else { throw .noSuchMember }
    return index
  }

  /// What others learn of the end besides the end itself.
  var closingEvents: [Session.Event] {
    guard let job, job.state != .over else { return [] }
    return [.onAir(job: job.order.id, .over, reason: "sessionOver")]
  }
}

// MARK: - Commands

extension Session.Meeting {
  /// Who acts, with which rights.
  struct Actor {
    /// Nil if it has not joined.
    let id: Session.Member.ID?
    let sender: String
    let permissions: Set<Session.Permission>
    /// What it might do besides if it joined.
    var afterJoining: Set<Session.Permission> = []

    func require(_ permission: Session.Permission) throws(Session.Refusal) {
      guard !permissions.contains(permission) else { return }
      throw afterJoining.contains(permission) ? .memberNeeded : .notAllowed(permission)
    }
  }

  func actor(_ caller: Session.Caller, epoch: Session.Epoch) throws(Session.Refusal) -> Actor {
    switch caller {
    case .member(let id, let lease):
      guard let member = self[id] else { throw removed.contains { $0.id == id } ? .removed : .leaseOver }
      guard let newest = member.lease else { throw .leaseOver }
      if let refusal = lease.refusal(newest: newest, epoch: epoch.number) { throw refusal }
      let standing = member.credential.standing == .local ? Session.Standing.local.permissions : []
      return Actor(id: id, sender: caller.sender, permissions: role(of: member).permissions.union(standing))
    case .token(let credential, nil):
      try admit(credential)
      var permissions = credential.standing.permissions
      let afterJoining = credential.standing == .participant ? Session.Role.participant.permissions : []
      if present.contains(where: { $0.credential == credential }) { permissions.formUnion(afterJoining) }
      return Actor(id: nil, sender: caller.sender, permissions: permissions, afterJoining: afterJoining)
    case .token(let credential, let id?):
      try admit(credential)
      guard let member = self[id], member.isPresent, member.credential.token == credential.token,
        credential.token != nil || credential.standing == .local
      else { throw .noSuchMember }
      return Actor(id: id, sender: caller.sender, permissions: credential.standing.permissions)
    }
  }

  /// A removed member has no rights by its token either.
  private func admit(_ credential: Session.Credential) throws(Session.Refusal) {
    if hasRemoved(credential) { throw .removed }
  }

  /// Whether a member that came by this token was removed. Tokens for all sessions are not a member's.
  package func hasRemoved(_ credential: Session.Credential) -> Bool {
    switch credential.standing {
    case .host, .participant:
      guard let token = credential.token else { return false }
      return removed.contains { $0.identity.token == token }
    case .worker, .operator, .local: return false
    }
  }

  mutating func perform(
    _ command: Session.Command, _ actor: Actor, lease: Session.Lease, epoch: UInt64, at now: WallTime
  ) throws(Session.Refusal) -> [Session.Event] {
    func member(_ id: Session.Member.ID? = nil) throws(Session.Refusal) -> Session.Member.ID {
      guard let id = id ?? actor.id else { throw .memberNeeded }
      return id
    }
    switch command {
    case .join, .end: return []
    case .report(let report): return try self.report(report, of: member(), at: now)
    case .rename(let id, let name): return try rename(member(id), to: name)
    case .host(let id): return try transferHost(to: id)
    case .reclaim: return try reclaimHost(by: member(), at: now)
    case .manager(let id): return try setManager(id, true)
    case .revoke(let id): return try setManager(id, false)
    case .remove(let id): return try remove(id, at: now)
    case .readmit(let id): return try readmit(id)
    case .mute(let id, let tracks): return try mute(member(id), tracks, by: actor.id)
    case .unmute(let id, let tracks): return try unmute(member(id), tracks, by: actor.id, at: now)
    case .answer(let agrees): return try answer(agrees, by: member())
    case .muteAll(let tracks): return muteAll(tracks)
    case .lock: return setLocked(true)
    case .unlock: return setLocked(false)
    case .lockScreens: return setScreensLocked(true)
    case .unlockScreens: return setScreensLocked(false)
    case .share: return try setShares(true, member())
    case .unshare: return try setShares(false, member())
    case .password(let hash): return setPassword(hash)
    case .limit(let length): return try limit(to: length, at: now)
    case .extend(let more, let request):
      return try extend(by: more, request: request, of: actor.sender, at: now)
    case .ready: return try ready(member())
    case .event(let event): return [.event(actor.id, event)]
    case .live(let order): return try goOnAir(order)
    case .offAir: return goOffAir()
    case .take(let id, let worker): return try take(id, by: worker, lease, at: now)
    case .work(let with, let report): return try work(with, report, epoch: epoch, at: now)
    case .leave: return try leave(member(), at: now)
    }
  }
}
