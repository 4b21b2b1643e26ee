package import HoldfastMediaModel
package import HoldfastSession

/// What a hub answers to a command.
package enum CommandAnswer: Hashable, Sendable {
  case done(String)
  case refused(Session.Refusal)
  case idUsed
}

extension Store {
  /// Carries a command out once, however often it is asked for, beside other hubs that do the same.
  ///
  /// `command` and `answer` may need the session as it is: a password is compared with that session's hash.
  package mutating func perform(
    in name: Session.Name, by caller: Session.Caller, request: StoreRequest? = nil,
    _ command: (LoadedSession) -> Session.Command,
    answer: (Session, [Session.Event]) -> String = { _, events in events.map(\.name).joined(separator: " ") }
  ) throws(StoreError) -> CommandAnswer {
    while true {
      let loaded = try load(name, asking: request)
      if let known = loaded.known { return CommandAnswer(known) }
      var session = loaded.session
      let events: [Session.Event]
      switch session.apply(command(loaded), by: caller, at: loaded.now) {
      case .success(let new): events = new
      case .failure(let refusal): return .refused(refusal)
      }
      let text = answer(session, events)
      if session == loaded.session, events.isEmpty, request == nil { return .done(text) }
      let commit = StoreCommit(
        loaded, becomes: session, events: events, request: request, answer: text,
        due: loaded.nextCheck(of: session))
      switch try self.commit(commit) {
      case .committed: return .done(text)
      case .known(let known): return CommandAnswer(known)
      case .conflict, .renewed: continue
      }
    }
  }

  /// Does what is due in a session, for a hub that has been in touch with the store without a break.
  package mutating func advance(
    _ name: Session.Name, contactSince: WallTime
  ) throws(StoreError) -> [Session.Event] {
    try advance(name) { _ in contactSince }
  }

  /// The same for a hub that says so by the store's clock when the session was loaded.
  package mutating func advance(
    _ name: Session.Name, contactSince: (_ now: WallTime) -> WallTime
  ) throws(StoreError) -> [Session.Event] {
    while true {
      let loaded = try load(name, asking: nil)
      var session = loaded.session
      let presence = loaded.presence(contactSince: contactSince(loaded.now))
      let events = session.advance(to: loaded.now, presence)
      // A hub that has reached the store only now finds less to do than others would.
      let due = loaded.nextCheck(of: session).map { $0 > loaded.now ? $0 : loaded.now + .seconds(1) }
      guard session != loaded.session else {
        try postpone(name, to: due, expected: loaded.version)
        return []
      }
      let commit = StoreCommit(loaded, becomes: session, events: events, due: due)
      switch try self.commit(commit) {
      case .committed: return events
      case .conflict, .renewed, .known: continue
      }
    }
  }

  /// Lets whoever speaks be the speaker, by the scores of all; the version decides between hubs.
  package mutating func chooseSpeaker(
    in name: Session.Name, by scores: [Session.Lease: Session.SpeechScores]
  ) throws(StoreError) -> [Session.Event] {
    while true {
      let loaded = try load(name, asking: nil)
      var session = loaded.session
      let events = session.chooseSpeaker(by: scores, at: loaded.now)
      guard !events.isEmpty else { return [] }
      let commit = StoreCommit(
        loaded, becomes: session, events: events, due: loaded.nextCheck(of: session))
      switch try self.commit(commit) {
      case .committed: return events
      case .conflict, .renewed, .known: continue
      }
    }
  }
}

extension LoadedSession {
  func presence(contactSince: WallTime?) -> Session.Presence {
    Session.Presence(beats: beats, contactSince: contactSince)
  }

  /// By the beats alone, whichever hub looks.
  func nextCheck(of session: Session) -> WallTime? { session.nextCheck(presence(contactSince: nil), at: now) }
}

extension CommandAnswer {
  fileprivate init(_ known: KnownRequest) {
    switch known {
    case .answered(let text): self = .done(text)
    case .idUsed: self = .idUsed
    }
  }
}
