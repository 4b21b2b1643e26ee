import HoldfastMediaModel

extension Session.Meeting {
  /// What follows from time and from who is heard; the second value is why the meeting ends.
  mutating func advance(
    to now: WallTime, _ presence: Session.Presence, _ epoch: Session.Epoch
  ) -> ([Session.Event], Session.EndReason?) {
    var (events, isOver) = advanceTimer(to: now)
    if isOver { return (events, .time) }
    for id in members.map(\.id) { events += expire(id, presence, epoch, at: now) }
    if let end = hostAwaitedUntil(presence, epoch), now >= end, let hostID {
      events += passHostOn(from: hostID, .away, at: now)
    }
    events += expireJob(presence, epoch, at: now)
    if let end = emptyUntil(presence, epoch), now >= end { return (events, .empty) }
    return (events, nil)
  }

  /// The earliest of all that `advance` acts on.
  func nextCheck(_ presence: Session.Presence, _ epoch: Session.Epoch, at now: WallTime) -> WallTime? {
    var instants = [
      nextTimerCheck, hostAwaitedUntil(presence, epoch), jobLeaseEnd(presence, epoch),
      emptyUntil(presence, epoch), recoversUntil,
    ].compactMap(\.self)
    for member in members {
      guard case .present(let lease, let since, let isSilent) = member.place else { continue }
      let seen = presence.lastSeen(lease, since: since, epoch)
      let isHeard = presence.isHeard(lease, since: since, at: now)
      switch (isSilent, isHeard) {
      case (true, true): instants.append(now)
      case (true, false): instants.append(seen + Session.Limits.lease)
      case (false, _): instants.append(seen + Session.Limits.silence)
      }
    }
    return instants.min()
  }

  private mutating func expire(
    _ id: Session.Member.ID, _ presence: Session.Presence, _ epoch: Session.Epoch, at now: WallTime
  ) -> [Session.Event] {
    guard let index = members.firstIndex(where: { $0.id == id }),
      case .present(let lease, let since, let wasSilent) = members[index].place
    else { return [] }
    let seen = presence.lastSeen(lease, since: since, epoch)
    if now >= seen + Session.Limits.lease { return depart(index, .expired, lastSeen: seen, at: now) }
    // Only a beat ends silence: hubs that are in touch for different times would contradict each other.
    let isSilent =
      wasSilent ? !presence.isHeard(lease, since: since, at: now) : now >= seen + Session.Limits.silence
    guard isSilent != wasSilent else { return [] }
    members[index].place = .present(lease, since: since, isSilent: isSilent)
    return [.reported(id, .silent(isSilent))]
  }

  /// A host that could not be heard for a while has a whole lease to come back in.
  private func hostAwaitedUntil(_ presence: Session.Presence, _ epoch: Session.Epoch) -> WallTime? {
    guard case .awaited(_, _, let end) = host else { return nil }
    return presence.contact(epoch).map { max(end, $0 + Session.Limits.lease) } ?? end
  }

  private func emptyUntil(_ presence: Session.Presence, _ epoch: Session.Epoch) -> WallTime? {
    emptySince.map { presence.countedFrom($0, epoch) + Session.Limits.emptiness }
  }
}
