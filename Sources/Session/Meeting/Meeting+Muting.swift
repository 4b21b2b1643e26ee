import HoldfastMediaModel

extension Session.Meeting {
  mutating func mute(
    _ id: Session.Member.ID, _ tracks: Set<TrackKind>, by caller: Session.Member.ID?
  ) throws(Session.Refusal) -> [Session.Event] {
    let index = try presentIndex(of: id)
    let by: Session.MutedBy = id == caller ? .oneself : .others
    let said: WritableKeyPath<Session.Mute, Set<TrackKind>> =
      switch by {
      case .oneself: \.bySelf
      case .others: \.byOthers
      }
    let new = tracks.subtracting(members[index].mute[keyPath: said])
    members[index].mute[keyPath: said].formUnion(new)
    return new.isEmpty ? [] : [.muted(id, new, by)]
  }

  mutating func unmute(
    _ id: Session.Member.ID, _ tracks: Set<TrackKind>, by caller: Session.Member.ID?, at now: WallTime
  ) throws(Session.Refusal) -> [Session.Event] {
    let index = try presentIndex(of: id)
    return id == caller
      ? try unmuteOneself(index, tracks, at: now) : unmuteOther(index, tracks)
  }

  private mutating func unmuteOneself(
    _ index: Int, _ tracks: Set<TrackKind>, at now: WallTime
  ) throws(Session.Refusal) -> [Session.Event] {
    let before = members[index].mute
    let foreign = before.byOthers.intersection(tracks)
    guard foreign.isEmpty || isLeader(members[index]) || isLeaderless(at: now) else { throw .mutedByOthers }
    let own = before.bySelf.intersection(tracks)
    members[index].mute.byOthers.subtract(foreign)
    return unmuted(index, foreign, .others) + liftOwn(index, own)
  }

  /// What the member muted itself is asked for, never lifted behind its back.
  private mutating func unmuteOther(_ index: Int, _ tracks: Set<TrackKind>) -> [Session.Event] {
    let before = members[index].mute
    let lifted = before.byOthers.intersection(tracks)
    let asked = before.bySelf.intersection(tracks)
    members[index].mute.byOthers.subtract(lifted)
    members[index].mute.asked.formUnion(asked)
    return unmuted(index, lifted, .others) + (asked.isEmpty ? [] : [.unmuteAsked(members[index].id, asked)])
  }

  mutating func answer(_ agrees: Bool, by id: Session.Member.ID) throws(Session.Refusal) -> [Session.Event] {
    let index = try presentIndex(of: id)
    let asked = members[index].mute.asked
    guard !asked.isEmpty else { throw .notAsked }
    members[index].mute.asked = []
    return agrees ? liftOwn(index, asked.intersection(members[index].mute.bySelf)) : [.unmuteDeclined(id)]
  }

  /// Of who is there now; the programme is what all hear.
  mutating func muteAll(_ tracks: Set<TrackKind>) -> [Session.Event] {
    var events: [Session.Event] = []
    for index in members.indices
    where members[index].isPresent && !isLeader(members[index]) && members[index].kind != .programme {
      let new = tracks.subtracting(members[index].mute.byOthers)
      members[index].mute.byOthers.formUnion(new)
      if !new.isEmpty { events.append(.muted(members[index].id, new, .others)) }
    }
    return events
  }

  private mutating func liftOwn(_ index: Int, _ tracks: Set<TrackKind>) -> [Session.Event] {
    members[index].mute.bySelf.subtract(tracks)
    members[index].mute.asked.subtract(tracks)
    return unmuted(index, tracks, .oneself)
  }

  private func unmuted(_ index: Int, _ tracks: Set<TrackKind>, _ by: Session.MutedBy) -> [Session.Event] {
    tracks.isEmpty ? [] : [.unmuted(members[index].id, tracks, by)]
  }
}

// MARK: - Screens

extension Session.Meeting {
  mutating func setScreensLocked(_ isLocked: Bool) -> [Session.Event] {
    guard screensAreLocked != isLocked else { return [] }
    screensAreLocked = isLocked
    guard isLocked else { return [.screensUnlocked] }
    var events = [Session.Event.screensLocked]
    for index in members.indices where members[index].sharesScreen {
      members[index].sharesScreen = false
      events.append(.reported(members[index].id, .sharesScreen(false)))
    }
    return events
  }

  mutating func setShares(
    _ shares: Bool, _ id: Session.Member.ID
  ) throws(Session.Refusal) -> [Session.Event] {
    let index = try presentIndex(of: id)
    guard !shares || !screensAreLocked else { throw .screensLocked }
    guard members[index].sharesScreen != shares else { return [] }
    members[index].sharesScreen = shares
    return [.reported(id, .sharesScreen(shares))]
  }
}
