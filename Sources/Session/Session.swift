package import HoldfastMediaModel

/// The rules of a session: who is in it, who may do what, what follows from whose absence.
///
/// A value without a clock, chance or a store: commands go in, events or a refusal come out. Instants are those of
/// the store's clock; ids, hashes and what a token has proven come with the command.
package struct Session: Hashable, Sendable {
  package let name: Name
  package internal(set) var epoch: Epoch
  /// The number of the last lease.
  package internal(set) var sequence: UInt64 = 0
  /// Nil before the first join, and after the end.
  package internal(set) var meeting: Meeting?
  /// What remains of meetings that were ended, the latest last; also beside the next one.
  package internal(set) var tombstones: [Tombstone] = []

  package init(_ name: Name, epoch: Epoch) {
    self.name = name
    self.epoch = epoch
  }

  /// Why a meeting is over, and for whom; so that who was away learns it. One that was only empty leaves none.
  package struct Tombstone: Hashable, Sendable {
    package let reason: EndReason
    package let endedAt: WallTime
    let members: [Member.ID: Member.Identity]

    var forgottenAt: WallTime { endedAt + Limits.tombstone }
    package var memberIDs: some Sequence<Member.ID> { members.keys }
  }

  package mutating func apply(
    _ command: Command, by caller: Caller, at now: WallTime
  ) -> Result<[Event], Refusal> {
    var next = self
    do throws(Refusal) {
      let events =
        switch (command, caller) {
        case (.join(let join), .token(let credential, _)): try next.join(join, credential, at: now)
        // Whoever has a lease has joined; a join proves itself by its token.
        case (.join, .member): throw .notAllowed(.join)
        case (_, _): try next.perform(command, by: caller, at: now)
        }
      self = next
      return .success(events)
    } catch {
      return .failure(error)
    }
  }

  /// The store may have forgotten something: every lease is over, and members prove what they were.
  package mutating func begin(_ epoch: Epoch) {
    guard epoch.number > self.epoch.number else { return }
    self.epoch = epoch
    sequence = 0
    meeting?.recoversUntil = epoch.recoversUntil
  }
}

// MARK: - Commands

extension Session {
  private mutating func join(
    _ join: Join, _ credential: Credential, at now: WallTime
  ) throws(Refusal) -> [Event] {
    guard credential.mayJoin(as: join.kind) else { throw .notAllowed(.join) }
    let identity = Member.Identity(key: join.key, token: credential.token)
    if let end = remembered(at: now).last(where: { $0.members.values.contains(identity) }) {
      throw .sessionOver(end.reason)
    }
    let proof = accepted(join.proof, at: now)
    let lease = nextLease()
    if meeting == nil {
      guard credential.mayBeHost || join.anyoneCreates && credential.standing == .participant || proof != nil
      else { throw .noSuchSession }
      meeting = Meeting(
        id: proof?.meeting ?? lease, password: join.newPassword, recoversUntil: epoch.recoversUntil, at: now)
    }
    if meeting?.isOver(at: now) == true { throw .sessionOver(.time) }
    let events = try meeting?.join(join, proof, credential, lease: lease, epoch: epoch, at: now) ?? []
    return events + updateDerivedState(at: now)
  }

  /// While the session recovers, a proof of the meeting that is there, or of one that the store has forgotten.
  private func accepted(_ proof: Proof?, at now: WallTime) -> Proof? {
    guard let proof, proof.lease.epoch < epoch.number else { return nil }
    let recoversUntil = meeting.map(\.recoversUntil) ?? epoch.recoversUntil
    guard let recoversUntil, now < recoversUntil,
      !remembered(at: now).contains(where: { $0.members[proof.id] != nil }),
      meeting?.accepts(proof, epoch: epoch.number) ?? true
    else { return nil }
    return proof
  }

  /// Why somebody may not see the session; nil if it may.
  package func refusal(toShow caller: Caller, at now: WallTime) -> Refusal? {
    do throws(Refusal) {
      try admit(caller, at: now).1.require(.see)
      return nil
    } catch {
      return error
    }
  }

  private func admit(_ caller: Caller, at now: WallTime) throws(Refusal) -> (Meeting, Meeting.Actor) {
    let endings = remembered(at: now)
    if case .member(let id, _) = caller, let end = endings.last(where: { $0.members[id] != nil }) {
      throw .sessionOver(end.reason)
    }
    guard let meeting else {
      switch caller {
      case .member: throw .leaseOver
      case .token: throw endings.last.map { Refusal.sessionOver($0.reason) } ?? .noSuchSession
      }
    }
    if meeting.isOver(at: now) { throw .sessionOver(.time) }
    return (meeting, try meeting.actor(caller, epoch: epoch))
  }

  private mutating func perform(
    _ command: Command, by caller: Caller, at now: WallTime
  ) throws(Refusal) -> [Event] {
    var (meeting, actor) = try admit(caller, at: now)
    if let permission = command.permission(of: actor.id) { try actor.require(permission) }
    if case .token(_, let id?) = caller, !command.needsNoLease(of: id) { throw .leaseNeeded }
    if case .end = command { return end(.ended, at: now) }
    let lease = Lease(epoch: epoch.number, sequence: sequence + 1)
    let events = try meeting.perform(command, actor, lease: lease, epoch: epoch.number, at: now)
    if case .take = command { sequence = lease.sequence }
    self.meeting = meeting
    return events + updateDerivedState(at: now)
  }

  /// Also before `advance` has forgotten the others.
  private func remembered(at now: WallTime) -> [Tombstone] { tombstones.filter { now < $0.forgottenAt } }

  private mutating func nextLease() -> Lease {
    sequence += 1
    return Lease(epoch: epoch.number, sequence: sequence)
  }
}

// MARK: - Time

extension Session {
  /// Does what is due, as a hub sees it that has been in touch with the store since `presence` says so.
  package mutating func advance(to now: WallTime, _ presence: Presence) -> [Event] {
    tombstones = remembered(at: now)
    guard let (events, end) = meeting?.advance(to: now, presence, epoch) else { return [] }
    guard let end else { return events + updateDerivedState(at: now) }
    return events + self.end(end, at: now)
  }

  /// When `advance` has something to do next; nil if never. Beats, and time without contact, put it off.
  package func nextCheck(_ presence: Presence, at now: WallTime) -> WallTime? {
    let check = meeting?.nextCheck(presence, epoch, at: now)
    return (tombstones.map(\.forgottenAt) + (check.map { [$0] } ?? [])).min()
  }

  /// Nothing is left that a store would have to keep.
  package var isForgotten: Bool { meeting == nil && tombstones.isEmpty }

  private mutating func updateDerivedState(at now: WallTime) -> [Event] {
    meeting?.updateDerivedState(at: now) ?? []
  }

  private mutating func end(_ reason: EndReason, at now: WallTime) -> [Event] {
    guard let meeting else { return [] }
    self.meeting = nil
    if reason != .empty {
      let members = meeting.members.map { ($0.id, $0.identity) }
      tombstones.append(
        Tombstone(
          reason: reason, endedAt: now, members: Dictionary(members, uniquingKeysWith: { first, _ in first }))
      )
      tombstones.removeFirst(max(0, tombstones.count - Limits.tombstones))
    }
    return meeting.closingEvents + [.ended(reason)]
  }
}
