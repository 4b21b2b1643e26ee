import HoldfastMediaModel

extension Session.Meeting {
  /// Hands the role over for good: nobody who had it before may reclaim it.
  mutating func transferHost(to id: Session.Member.ID) throws(Session.Refusal) -> [Session.Event] {
    let member = members[try presentIndex(of: id)]
    guard member.mayBeHost else { throw .mayNotBeHost }
    claims = []
    if case .held(id, _) = host { return [] }
    return [makeHost(id, .transferred)]
  }

  mutating func reclaimHost(
    by id: Session.Member.ID, at now: WallTime
  ) throws(Session.Refusal) -> [Session.Event] {
    guard claims.contains(id) else { throw .nothingToReclaim }
    // The last host may still prove that it is.
    guard !isRecovering(at: now) else { throw .recovering }
    return [makeHost(id, .reclaimed)]
  }

  mutating func setManager(
    _ id: Session.Member.ID, _ isManager: Bool
  ) throws(Session.Refusal) -> [Session.Event] {
    let index = try index(of: id)
    guard members[index].isManager != isManager else { return [] }
    members[index].isManager = isManager
    return [isManager ? .managerMade(id) : .managerRevoked(id)]
  }

  /// What a join changes about the host: it was awaited, proves its term, or is the first person.
  mutating func hostJoined(
    _ member: Session.Member, _ proof: Session.Proof?, at now: WallTime
  ) -> [Session.Event] {
    if case .awaited(member.id, let why, _) = host { host = .held(member.id, why) }
    guard member.mayBeHost else { return [] }
    if let term = proof?.hostTerm, term > hostTerm, isRecovering(at: now) {
      hostTerm = term - 1
      return [makeHost(member.id, .proven)]
    }
    // A box that had the role only because there was no person.
    guard !isRecovering(at: now), case .held(let id, .first) = host, let box = self[id], box.kind == .box,
      member.kind == .person,
      !claims.contains(member.id)
    else { return [] }
    return [makeHost(member.id, .person)]
  }

  /// After every change: nobody is host only as long as nobody may be.
  mutating func updateDerivedState(at now: WallTime) -> [Session.Event] {
    var events: [Session.Event] = []
    if !isRecovering(at: now) { recoversUntil = nil }
    if host == .nobody, recoversUntil == nil, let heir { events = [makeHost(heir, .first)] }
    noteLeaders(now)
    let hasSomebody = members.contains { $0.isPresent && $0.kind != .programme }
    emptySince = hasSomebody ? nil : emptySince ?? now
    return events + updateStage(at: now)
  }

  /// The host left, or has been away for too long: who was host may reclaim the role.
  mutating func passHostOn(
    from id: Session.Member.ID, _ why: Session.HostChange, at now: WallTime
  ) -> [Session.Event] {
    host = .nobody
    if !claims.contains(id) { claim(id) }
    guard !isRecovering(at: now), let heir else { return [.hostChanged(nil, why)] }
    return [makeHost(heir, why)]
  }

  /// Bounded, so that nobody who joins with ever new keys fills the session: who is not there loses its claim first.
  private mutating func claim(_ id: Session.Member.ID) {
    if claims.count >= Session.Limits.claims {
      claims.remove(at: claims.firstIndex { self[$0]?.isPresent != true } ?? 0)
    }
    claims.append(id)
  }

  /// Of those who are heard: managers first, then persons, then boxes, in the order of their first joins.
  private var heir: Session.Member.ID? {
    let candidates = members.filter { $0.isPresent && !$0.isSilent && $0.mayBeHost }
    let heir =
      candidates.first(where: \.isManager) ?? candidates.first { $0.kind == .person } ?? candidates.first
    return heir?.id
  }

  private mutating func makeHost(_ id: Session.Member.ID, _ why: Session.HostChange) -> Session.Event {
    host = .held(id, why)
    hostTerm += 1
    // Who held the role after it did so in its place.
    if let place = claims.firstIndex(of: id) { claims.removeSubrange(place...) }
    return .hostChanged(id, why)
  }

  func isRecovering(at now: WallTime) -> Bool { recoversUntil.map { now < $0 } ?? false }

  /// The member may lift what others muted once nobody who could has been there for a while.
  mutating func noteLeaders(_ since: WallTime) {
    let isLed = members.contains { $0.isPresent && isLeader($0) }
    leaderlessSince = isLed ? nil : leaderlessSince ?? since
  }

  func isLeaderless(at now: WallTime) -> Bool {
    leaderlessSince.map { now >= $0 + Session.Limits.leaderAbsence } ?? false
  }
}

extension Session.Meeting {
  /// Whether a proof is of this meeting, or of a later one that the store has forgotten.
  ///
  /// A meeting that was created in this epoch, without a proof, gives way to the one that members prove.
  func accepts(_ proof: Session.Proof, epoch: UInt64) -> Bool { proof.meeting >= id || id.epoch == epoch }

  /// Goes on as the meeting that a member has proven; terms of another one count no more.
  mutating func become(_ proven: Session.Lease) {
    id = proven
    hostTerm = 0
  }
}
