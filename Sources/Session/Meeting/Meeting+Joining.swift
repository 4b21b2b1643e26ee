import HoldfastMediaModel

extension Session.Meeting {
  mutating func join(
    _ join: Session.Join, _ proof: Session.Proof?, _ credential: Session.Credential, lease: Session.Lease,
    epoch: Session.Epoch, at now: WallTime
  ) throws(Session.Refusal) -> [Session.Event] {
    let identity = Session.Member.Identity(key: join.key, token: credential.token)
    guard !removed.contains(where: { $0.applies(to: identity) }) else { throw .removed }
    if let proof, proof.meeting != id { become(proof.meeting) }
    var events: [Session.Event]
    if let index = members.firstIndex(where: { $0.identity == identity }) {
      try readmission(of: members[index], join, credential)
      events = returned(index, join, lease, epoch, at: now)
    } else {
      if proof == nil { try admission(join, credential) }
      try checkRoom(for: credential)
      var member = Session.Member(
        id: freeID(proof?.id, join.id), identity: identity, credential: credential, kind: join.kind,
        name: join.name, place: .present(lease, since: now, isSilent: false))
      member.isManager = proof?.isManager ?? false
      members.append(member)
      events = [.joined(member.id, member.name, member.kind, lease, returned: proof != nil)]
    }
    guard let member = members.first(where: { $0.identity == identity }) else { return events }
    events += hostJoined(member, proof, at: now)
    return events
  }

  /// Nobody could choose the id of another member.
  private func freeID(_ proven: Session.Member.ID?, _ new: Session.Member.ID) -> Session.Member.ID {
    if let proven, self[proven] == nil, !removed.contains(where: { $0.id == proven }) { return proven }
    return new
  }

  /// Of who is new, and of who left on purpose.
  private func admission(_ join: Session.Join, _ credential: Session.Credential) throws(Session.Refusal) {
    if credential.standing == .worker || host == .nobody && credential.mayBeHost { return }
    if isLocked { throw .locked }
    guard password != nil else { return }
    switch join.password {
    case .right: break
    case .notGiven: throw .passwordNeeded
    case .wrong: throw .passwordWrong
    }
  }

  /// Who lost the line comes back through a locked door and without a password.
  private func readmission(
    of member: Session.Member, _ join: Session.Join, _ credential: Session.Credential
  ) throws(Session.Refusal) {
    guard case .away(let departure, _) = member.place else { return }
    if departure == .left { try admission(join, credential) }
    try checkRoom(for: credential)
  }

  /// For one more. The local user has no token, and as many members as there is room for.
  private func checkRoom(for credential: Session.Credential) throws(Session.Refusal) {
    guard present.count < Session.Limits.members else { throw .full }
    guard let token = credential.token else { return }
    let ofToken = present.count { $0.identity.token == token }
    guard ofToken < Session.Limits.membersOfToken else { throw .tokenFull }
  }

  private mutating func returned(
    _ index: Int, _ join: Session.Join, _ lease: Session.Lease, _ epoch: Session.Epoch, at now: WallTime
  ) -> [Session.Event] {
    let before = members[index]
    let lifted = wasAlone(before, join, epoch, at: now) ? join.lifted.intersection(before.mute.byOthers) : []
    members[index].mute.byOthers.subtract(lifted)
    members[index].place = .present(lease, since: now, isSilent: false)
    members[index].isReady = false
    members[index].sharesScreen = false
    members[index].reported = Session.Member.Report()
    return [.joined(before.id, before.name, before.kind, lease, returned: true)]
      + (lifted.isEmpty ? [] : [.unmuted(before.id, lifted, .others)])
  }

  /// For a lease without a hub, so that what others muted was the member's to lift.
  private func wasAlone(
    _ member: Session.Member, _ join: Session.Join, _ epoch: Session.Epoch, at now: WallTime
  ) -> Bool {
    switch member.place {
    case .away(let departure, let lastSeen):
      departure == .expired && now >= lastSeen + Session.Limits.lease
    case .present:
      join.lastBeat.map { now >= $0 + Session.Limits.lease } ?? false
    }
  }

  mutating func leave(_ id: Session.Member.ID, at now: WallTime) throws(Session.Refusal) -> [Session.Event] {
    let index = try presentIndex(of: id)
    return depart(index, .left, lastSeen: now, at: now)
  }

  /// Takes a present member out; what follows for the host's role is its own event.
  mutating func depart(
    _ index: Int, _ departure: Session.Departure, lastSeen: WallTime, at now: WallTime
  ) -> [Session.Event] {
    guard let lease = members[index].lease else { return [] }
    let member = members[index]
    members[index].place = .away(departure, lastSeen: lastSeen)
    members[index].isReady = false
    members[index].sharesScreen = false
    members[index].mute.asked = []
    var events = [Session.Event.left(member.id, departure, lease)]
    if departure == .removed { members.remove(at: index) }
    if member.id == hostID {
      switch (departure, host) {
      case (.expired, .held(_, let why)):
        host = .awaited(member.id, why, until: lastSeen + Session.Limits.hostAbsence)
      // The host can't be removed, and one that is awaited has expired already.
      case (.expired, _), (.removed, _): break
      case (.left, _): events += passHostOn(from: member.id, .left, at: now)
      }
    }
    forgetOldest()
    noteLeaders(lastSeen)
    return events
  }

  /// Keeps the list of who would be known again bounded, though not of who may still be host.
  private mutating func forgetOldest() {
    var away: [(id: Session.Member.ID, lastSeen: WallTime)] = []
    for member in members where member.id != hostID && !claims.contains(member.id) {
      if case .away(_, let lastSeen) = member.place { away.append((member.id, lastSeen)) }
    }
    away.sort { $0.lastSeen < $1.lastSeen }
    let forgotten = Set(away.prefix(max(0, away.count - Session.Limits.away)).map(\.id))
    members.removeAll { forgotten.contains($0.id) }
  }
}
