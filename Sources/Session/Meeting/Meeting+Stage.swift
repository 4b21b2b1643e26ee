package import HoldfastMediaModel

extension Session {
  /// Who speaks, or spoke last.
  package struct Speaker: Hashable, Sendable {
    package let id: Member.ID
    package let since: WallTime
  }

  /// Somebody speaks, as a hub has found by comparing scores.
  package mutating func speak(_ id: Member.ID, at now: WallTime) -> [Event] {
    guard var meeting, let spoken = meeting.speak(id, at: now) else { return [] }
    let events = [spoken] + meeting.updateDerivedState(at: now)
    self.meeting = meeting
    return events
  }
}

extension Session.Meeting {
  /// Nil where nothing changes: a speaker is kept for a while, and who is muted is none.
  fileprivate mutating func speak(_ id: Session.Member.ID, at now: WallTime) -> Session.Event? {
    guard mayChangeSpeaker(at: now), speaker?.id != id,
      let index = members.firstIndex(where: { $0.id == id && $0.maySpeak })
    else { return nil }
    endSpeech(at: now)
    members[index].spokeAt = now
    speaker = Session.Speaker(id: id, since: now)
    return .speaker(id)
  }

  package func mayChangeSpeaker(at now: WallTime) -> Bool {
    speaker.map { now >= $0.since + Session.Limits.speech } ?? true
  }

  private mutating func endSpeech(at now: WallTime) {
    if let id = speaker?.id, let index = members.firstIndex(where: { $0.id == id }) {
      members[index].spokeAt = now
    }
    speaker = nil
  }

  /// What follows for the speaker and the stage from who is there.
  mutating func updateStage(at now: WallTime) -> [Session.Event] {
    var events: [Session.Event] = []
    if let id = speaker?.id, self[id]?.maySpeak != true {
      endSpeech(at: now)
      events.append(.speaker(nil))
    }
    let changed = stage.follow(members.compactMap { performer($0, at: now) }, at: now)
    return changed.isEmpty ? events : events + [.stage(changed)]
  }

  /// Only boxes have something to show.
  private func performer(_ member: Session.Member, at now: WallTime) -> Session.Stage.Performer? {
    guard member.kind == .box, case .present(_, let since, _) = member.place else { return nil }
    let speaks = member.id == speaker?.id
    return Session.Stage.Performer(
      id: member.id, speaks: speaks, spokeAt: speaks ? now : member.spokeAt,
      hasPicture: !member.mute.muted.union(member.reported.muted).contains(.video), joinedAt: since)
  }
}

extension Session.Member {
  fileprivate var maySpeak: Bool {
    isPresent && !mute.muted.union(reported.muted).contains(.audio)
  }
}
