import HoldfastMediaModel

extension Session.Meeting {
  mutating func setLocked(_ isLocked: Bool) -> [Session.Event] {
    guard self.isLocked != isLocked else { return [] }
    self.isLocked = isLocked
    return [isLocked ? .locked : .unlocked]
  }

  mutating func setPassword(_ hash: Session.PasswordHash?) -> [Session.Event] {
    guard password != hash else { return [] }
    password = hash
    return [.passwordChanged(hash != nil)]
  }

  mutating func rename(
    _ id: Session.Member.ID, to name: Session.DisplayName
  ) throws(Session.Refusal) -> [Session.Event] {
    let index = try presentIndex(of: id)
    guard members[index].name != name else { return [] }
    members[index].name = name
    return [.renamed(id, name)]
  }

  /// Also somebody who has gone away, so that it does not come back.
  mutating func remove(_ id: Session.Member.ID, at now: WallTime) throws(Session.Refusal) -> [Session.Event] {
    let index = try index(of: id)
    guard id != hostID, !claims.contains(id) else { throw .notRemovable }
    guard removed.count < Session.Limits.removed else { throw .tooManyRemoved }
    let member = members[index]
    removed.append(Removal(id: id, name: member.name, identity: member.identity))
    guard member.isPresent else {
      members.remove(at: index)
      return [.removed(id)]
    }
    return [.removed(id)] + depart(index, .removed, lastSeen: now, at: now)
  }

  mutating func readmit(_ id: Session.Member.ID) throws(Session.Refusal) -> [Session.Event] {
    guard let index = removed.firstIndex(where: { $0.id == id }) else { throw .notRemoved }
    let identity = removed[index].identity
    // Another removal of the same token would keep it out.
    removed.removeAll { $0.id == id || $0.applies(to: identity) }
    return [.readmitted(id)]
  }
}
