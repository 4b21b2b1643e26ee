package import HoldfastMediaModel

extension Session {
  /// Who speaks, or spoke last.
  package struct Speaker: Hashable, Sendable {
    package let id: Member.ID
    package let since: WallTime
  }

  /// Lets whoever speaks be the speaker, by what was heard of all in the last second.
  package mutating func chooseSpeaker(by scores: [Lease: SpeechScores], at now: WallTime) -> [Event] {
    guard let next = nextSpeaker(by: scores), var meeting, meeting.mayChangeSpeaker(at: now) else {
      return []
    }
    let events = [meeting.speak(next, at: now)] + meeting.updateDerivedState(at: now)
    self.meeting = meeting
    return events
  }

  /// Who would be the speaker, once the one who is has been so for long enough; nil if it is the right one.
  package func nextSpeaker(by scores: [Lease: SpeechScores]) -> Member.ID? {
    guard let meeting else { return nil }
    var heard: [Member.ID: SpeechScores] = [:]
    for member in meeting.members where member.maySpeak {
      if let lease = member.lease, let scores = scores[lease] { heard[member.id] = scores }
    }
    return SpeakerChoice.change(from: meeting.speaker?.id, heard)
  }
}

extension Session.Meeting {
  fileprivate func mayChangeSpeaker(at now: WallTime) -> Bool {
    speaker.map { now >= $0.since + Session.Limits.speech } ?? true
  }

  fileprivate mutating func speak(_ id: Session.Member.ID, at now: WallTime) -> Session.Event {
    endSpeech(at: now)
    speaker = Session.Speaker(id: id, since: now)
    return .speaker(id)
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
      hasPicture: member.delivered.contains(.video), joinedAt: since)
  }
}

extension Session.Member {
  fileprivate var maySpeak: Bool { isPresent && delivered.contains(.audio) }
}
