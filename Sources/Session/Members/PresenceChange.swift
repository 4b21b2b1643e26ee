extension Session {
  /// What a commit means for the store's record of who is present.
  package enum PresenceChange: Hashable, Sendable {
    case add(Member.ID, Lease)
    case remove(Member.ID, Lease)
    /// To be refused if the lease was renewed meanwhile.
    case expire(Member.ID, Lease)

    var lease: Lease {
      switch self {
      case .add(_, let lease), .remove(_, let lease), .expire(_, let lease): lease
      }
    }
  }

  /// Each lease that is over or new since `before`, the oldest first: by departures, by newer joins and by the end.
  package func presenceChanges(since before: Session, _ events: [Event]) -> [PresenceChange] {
    let (old, new) = (before.leases, leases)
    var expired: Set<Lease> = []
    for case .left(_, .expired, let lease?) in events { expired.insert(lease) }
    let over = old.filter { id, lease in new[id] != lease }.map { id, lease in
      expired.contains(lease) ? PresenceChange.expire(id, lease) : .remove(id, lease)
    }
    let added = new.filter { id, lease in old[id] != lease }.map { PresenceChange.add($0, $1) }
    return (over + added).sorted { $0.lease < $1.lease }
  }

  private var leases: [Member.ID: Lease] {
    let leases = meeting?.members.compactMap { member in member.lease.map { (member.id, $0) } } ?? []
    return Dictionary(leases, uniquingKeysWith: { first, _ in first })
  }
}
