import HoldfastMediaModel
import HoldfastSession
import HoldfastStores

/// A store under examination, and what was found wrong with it.
struct StoreProbe {
  var store: any TestableStore
  private(set) var findings: [String] = []

  mutating func expect(_ isTrue: Bool, _ finding: String) { if !isTrue { findings.append(finding) } }

  mutating func load(_ request: StoreRequest? = nil) throws -> LoadedSession {
    try store.load(.hall, asking: request)
  }

  private mutating func beat(_ lease: Session.Lease, _ statistics: String? = nil) throws -> StoreVersion? {
    try store.beat(lease, statistics: statistics, in: .hall)
  }

  /// The events after one; nil, with a finding, if there is a reset instead.
  private mutating func events(after last: EventID, _ finding: String) throws -> [StoredEvent]? {
    if case .events(let events) = try store.read(.hall, after: last) { return events }
    expect(false, finding)
    return nil
  }

  private mutating func commit(
    _ loaded: LoadedSession, _ command: Session.Command, request: StoreRequest? = nil, answer: String = "",
    due: WallTime? = nil
  ) throws -> CommitResult {
    try store.commit(StoreCommit(loaded, command, request: request, answer: answer, due: due))
  }
}

// MARK: - Commits

extension StoreProbe {
  mutating func checkUnknown() throws {
    let loaded = try load()
    expect(loaded.session.isForgotten, "an unknown session has something in it")
    expect(loaded.beats.isEmpty, "an unknown session has beats")
    expect(try store.due(within: .zero).isEmpty, "an unknown session is due")
  }

  mutating func checkCommitted() throws {
    try store.join()
    let before = try load()
    let result = try commit(before, .lock)
    let after = try load()
    expect(after.session.meeting?.isLocked == true, "what was committed is not loaded")
    expect(after.version != before.version, "a commit leaves the version as it was")
    expect(
      result == .committed(after.version, lastEvent: after.lastEvent),
      "the result is not what is loaded: \(result)")
  }

  mutating func checkConflict() throws {
    try store.join()
    let seen = try load()
    _ = try commit(seen, .lock)
    let second = try commit(seen, .lockScreens)
    expect(second == .conflict, "the second commit on one version is \(second)")
    expect(try load().session.meeting?.screensAreLocked == false, "a conflict has changed the session")
    // Two hubs that create one session.
    let empty = try store.load(Session.Name("Other"), asking: nil)
    let created = StoreCommit(empty, becomes: empty.session, events: [], due: nil)
    _ = try store.commit(created)
    expect(try store.commit(created) == .conflict, "a session was created twice")
  }

  mutating func checkRepeat() throws {
    try store.join()
    let request = StoreRequest(sender: "anna", id: "1", command: "lock")
    let seen = try load(request)
    expect(seen.known == nil, "a new request is known")
    _ = try commit(seen, .lock, request: request, answer: "locked")
    let version = try load().version
    expect(try load(request).known == .answered("locked"), "the answer of a request is not found")
    let again = try commit(seen, .lock, request: request, answer: "another")
    expect(again == .known(.answered("locked")), "a repeated request is \(again)")
    expect(try load().version == version, "a repeated request has written")
  }

  mutating func checkIDUsed() throws {
    try store.join()
    let request = StoreRequest(sender: "anna", id: "1", command: "lock")
    _ = try commit(load(), .lock, request: request)
    let other = StoreRequest(sender: "anna", id: "1", command: "unlock")
    expect(try load(other).known == .idUsed, "an id that was used is free")
    expect(try commit(load(), .unlock, request: other) == .known(.idUsed), "a used id was written")
    let another = StoreRequest(sender: "max", id: "1", command: "unlock")
    expect(try load(another).known == nil, "one sender's id is another's")
  }

  mutating func checkForgottenAnswer() throws {
    try store.join()
    let request = StoreRequest(sender: "anna", id: "1", command: "lock")
    _ = try commit(load(), .lock, request: request, answer: "locked")
    store.pass(.seconds(599))
    expect(try load(request).known == .answered("locked"), "the answer is forgotten too early")
    store.pass(.seconds(1))
    expect(try load(request).known == nil, "the answer is never forgotten")
  }

  mutating func checkNames() throws {
    for (written, other) in [
      ("Hall", "HALL"), ("Großer Saal", "GROSSER SAAL"), ("Cafe\u{301}", "Café"),
      ("\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}", "한글"),
    ] {
      let name = try Session.Name(other)
      try store.join(Session.Name(written))
      _ = try store.perform(in: name, by: .host("anna")) { _ in .lock }
      let loaded = try store.load(name, asking: nil)
      expect(loaded.session.meeting?.members.count == 1, "\(other) is another session than \(written)")
      let due = try store.due(within: .seconds(86_400)).filter { $0 == name }.map(\.text)
      expect(due.map { Array($0.unicodeScalars) } == [Array(written.unicodeScalars)], "it is due as \(due)")
    }
  }
}

// MARK: - The end

extension StoreProbe {
  mutating func checkEnded() throws {
    let (lease, other) = (try store.join(), try store.join(.hall, "max", 2))
    _ = try commit(load(), .end)
    expect(try beat(lease) == nil, "a lease of an ended session is renewed")
    expect(try store.levels("1", of: other, in: .hall) == nil, "scores in an ended session are taken")
    expect(try load().beats.isEmpty, "an ended session has beats")
    expect(store.holds(.hall), "what remains of an ended session is not kept")
  }

  mutating func checkForgotten() throws {
    try store.join()
    _ = try commit(load(), .end)
    let ended = try load()
    store.pass(.seconds(86_400))
    _ = try store.advance(.hall, contactSince: longAgo(ended.now))
    expect(!store.holds(.hall), "a forgotten session is stored")
    let forgotten = try load()
    expect(forgotten.session.isForgotten, "a forgotten session has something in it")
    expect(forgotten.version != ended.version, "forgetting leaves the version as it was")
    expect(forgotten.lastEvent == ended.lastEvent, "the events' numbers begin anew")
    expect(try store.due(within: .zero).isEmpty, "a forgotten session is due")
    try store.join(.hall, "max", 2)
    let late = StoreCommit(ended, becomes: ended.session, events: [], due: nil)
    expect(try store.commit(late) == .conflict, "a version from before is written")
    guard let events = try events(after: ended.lastEvent, "a reader from before is reset") else { return }
    expect(events.first?.id.sequence == ended.lastEvent.sequence + 1, "the events' numbers have a hole")
  }
}

extension StoreProbe {
  mutating func checkEmptied() throws {
    try store.join()
    let before = try load()
    for pause in [MediaTime.seconds(20), .seconds(300)] {
      store.pass(pause)
      _ = try store.advance(.hall, contactSince: longAgo(before.now))
    }
    expect(!store.holds(.hall), "an empty session is stored")
    guard let events = try events(after: before.lastEvent, "nobody can read how the session ended") else {
      return
    }
    expect(events.last?.json.contains("\"ended\"") == true, "the last event is not the end")
  }
}

// MARK: - Damage

extension StoreProbe {
  mutating func checkUnreadable() throws {
    try store.join()
    let stored = try load().session.stored
    store.replace(.hall, with: #"{"form":99}"#)
    let unreadable = StoreError.unreadable(.unknownVersion(99))
    var failures: [StoreError?] = []
    do { _ = try load() } catch { failures.append(error as? StoreError) }
    do { try store.join() } catch { failures.append(error as? StoreError) }
    let longAgo = WallTime(nanoseconds: 0)
    do { _ = try store.advance(.hall, contactSince: longAgo) } catch { failures.append(error) }
    expect(failures == [unreadable, unreadable, unreadable], "an unknown form gives \(failures)")
    store.replace(.hall, with: stored)
    expect(try load().session.meeting?.members.count == 1, "what could not be read was written over")
  }
}

// MARK: - Presence

extension StoreProbe {
  mutating func checkBeat() throws {
    let lease = try store.join()
    store.pass(.seconds(5))
    expect(try beat(lease) != nil, "a lease is not renewed")
    let loaded = try load()
    expect(loaded.beats[lease] == loaded.now, "the beat's instant is not the store's")
    let version = loaded.version
    expect(try beat(lease) == version, "a beat does not give the version")
    expect(try load().version == version, "a beat changes the version")
    let foreign = Session.Lease(epoch: lease.epoch, sequence: lease.sequence + 1)
    expect(try beat(foreign) == nil, "a lease that nobody has is renewed")
    expect(
      try store.beat(lease, statistics: nil, in: Session.Name("Other")) == nil,
      "another session's lease is renewed")
    let newer = try store.join()
    expect(try beat(lease) == nil, "a superseded lease is renewed")
    expect(try beat(newer) != nil, "the newer lease is not renewed")
  }

  mutating func checkStatistics() throws {
    let lease = try store.join()
    expect(try load().statistics.isEmpty, "a member that has said nothing has statistics")
    _ = try beat(lease, #"{"a":"ä"}"#)
    expect(try load().statistics == [lease: #"{"a":"ä"}"#], "statistics are not kept")
    _ = try beat(lease)
    expect(try load().statistics.count == 1, "a beat without statistics takes those before away")
    _ = try beat(lease, "2")
    expect(try load().statistics == [lease: "2"], "newer statistics are not kept")
    try store.join()
    expect(try load().statistics.isEmpty, "a lease that is over has statistics")
  }

  mutating func checkRenewed() throws {
    let lease = try store.join()
    store.pass(.seconds(30))
    let seen = try load()
    var session = seen.session
    let presence = Session.Presence(beats: seen.beats, contactSince: session.epoch.began ?? longAgo(seen.now))
    let events = session.advance(to: seen.now, presence)
    _ = try beat(lease)
    let result = try store.commit(StoreCommit(seen, becomes: session, events: events, due: nil))
    expect(result == .renewed(lease), "an expiry of a renewed lease is \(result)")
    expect(try load().session.meeting?.present.count == 1, "a renewed lease has expired")
  }

  mutating func checkExpired() throws {
    let lease = try store.join()
    store.pass(.seconds(30))
    let events = try store.advance(.hall, contactSince: longAgo(load().now))
    expect(events.contains { $0.name == "left" }, "nothing expired")
    expect(try load().session.meeting?.present.isEmpty == true, "an expiry was not committed")
    expect(try beat(lease) == nil, "an expired lease is renewed")
  }

  mutating func checkLevels() throws {
    let (anna, max) = (try store.join(), try store.join(.hall, "max", 2))
    store.pass(.seconds(5))
    expect(try store.heard(in: .hall) == [:], "somebody is heard who has no scores")
    _ = try store.levels("1", of: anna, in: .hall)
    expect(try store.levels("2", of: max, in: .hall) == [anna: "1", max: "2"], "scores are missing")
    expect(
      try store.heard(in: .hall) == [anna: "1", max: "2"], "who leaves no scores doesn't get those of others")
    expect(try load().beats[anna] == load().now, "scores don't renew the lease")
    store.pass(.milliseconds(1000))
    expect(try store.heard(in: .hall) == [:], "old scores are heard")
    expect(try store.levels("3", of: max, in: .hall) == [max: "3"], "old scores count")
    let nobody = Session.Lease(epoch: anna.epoch, sequence: 99)
    expect(try store.levels("4", of: nobody, in: .hall) == nil, "scores without a lease are taken")
  }

  private func longAgo(_ now: WallTime) -> WallTime {
    WallTime(nanoseconds: now.nanoseconds - 3_600_000_000_000)
  }
}

// MARK: - Events and time

extension StoreProbe {
  mutating func checkEvents() throws {
    try store.join()
    let from = try load().lastEvent
    for command in [Session.Command.lock, .lockScreens, .unlock] { _ = try commit(load(), command) }
    guard let events = try events(after: from, "a reader that knows all is reset") else { return }
    let names = events.map { event in
      ["unlocked", "screensLocked", "locked"].first { event.json.contains("\"\($0)\"") } ?? event.json
    }
    expect(names == ["locked", "screensLocked", "unlocked"], "the events are \(names)")
    expect(events.map(\.id.sequence) == (1...3).map { from.sequence + $0 }, "the numbers have holes")
    let last = try load().lastEvent
    expect(try store.read(.hall, after: last) == .events([]), "there is something behind the last event")
  }

  mutating func checkReset() throws {
    try store.join()
    let from = try load().lastEvent
    let future = EventID(epoch: from.epoch, sequence: from.sequence + 10)
    expect(try store.read(.hall, after: future) == .reset, "a reader from the future is not reset")
    for _ in 0...(EventPage.memory / 2) {
      _ = try commit(load(), .lock)
      _ = try commit(load(), .unlock)
    }
    expect(
      try store.read(.hall, after: from) == .reset, "a reader that missed a thousand events is not reset")
  }

  mutating func checkChanges() throws {
    let start = try store.changes(after: nil)
    guard case .any = start else { return expect(false, "a reader that knows nothing gets \(start)") }
    expect(try changes(after: start.last) == [], "nothing has changed, but something is reported")
    let lease = try store.join()
    _ = try commit(load(), .lock)
    _ = try beat(lease)
    let page = try store.changes(after: start.last)
    guard case .sessions(let names, let last) = page else { return expect(false, "two changes give \(page)") }
    expect(names == [.hall], "the changed sessions are \(names)")
    expect(try changes(after: last) == [], "a change is reported twice")
    let future = EventID(epoch: last.epoch, sequence: last.sequence + 10)
    expect(try changes(after: future) == nil, "a reader from the future gets sessions")
    for _ in 0...(ChangePage.memory / 2) {
      _ = try commit(load(), .unlock)
      _ = try commit(load(), .lock)
    }
    expect(try changes(after: last) == nil, "a reader that missed a thousand changes gets sessions")
    let beforeEpoch = try store.changes(after: nil).last
    store.pass(.seconds(1))
    store.failOver()
    expect(try changes(after: beforeEpoch) == nil, "a reader of another epoch gets sessions")
  }

  private mutating func changes(after change: EventID) throws -> [Session.Name]? {
    guard case .sessions(let names, _) = try store.changes(after: change) else { return nil }
    return names
  }

  mutating func checkList() throws {
    try store.join()
    let year = MediaTime.seconds(366 * 86_400)
    let loaded = try load()
    _ = try commit(loaded, .lock, due: loaded.now + .seconds(3600))
    expect(try store.due(within: .seconds(3599)).isEmpty, "it is due too early")
    expect(try store.due(within: year) == [.hall], "a session is not in the list of all")
    expect(try store.due(within: year).first?.text == "Hall", "a session's name is not as it was written")
  }

  mutating func checkDue() throws {
    try store.join()
    let loaded = try load()
    _ = try commit(loaded, .lock, due: loaded.now + .seconds(10))
    store.pass(.seconds(9))
    expect(try !store.due(within: .zero).contains(.hall), "it is due too early")
    store.pass(.seconds(1))
    expect(try store.due(within: .zero).contains(.hall), "it is not due in time")
    let seen = try load()
    try store.postpone(.hall, to: seen.now + .seconds(5), expected: seen.version)
    expect(try !store.due(within: .zero).contains(.hall), "it is due though it was postponed")
    expect(try load().version == seen.version, "postponing changes the version")
    store.pass(.seconds(5))
    expect(try store.due(within: .zero).contains(.hall), "it is not due at the later instant")
    try store.postpone(.hall, to: nil, expected: loaded.version)
    expect(try store.due(within: .zero).contains(.hall), "a session that has changed was postponed")
    _ = try commit(load(), .unlock)
    expect(try !store.due(within: .zero).contains(.hall), "it is due after it was looked at")
  }

  mutating func checkEpoch() throws {
    let lease = try store.join()
    let before = try load()
    store.pass(.seconds(1))
    store.failOver()
    let after = try load()
    expect(after.session.epoch.number > before.session.epoch.number, "the epoch does not rise")
    expect(after.session.epoch.began == after.now, "the epoch's beginning is not the store's")
    expect(after.version != before.version, "the version is the same in another epoch")
    expect(try commit(before, .lock) == .conflict, "a version of another epoch is written")
    expect(try beat(lease) == nil, "a lease of another epoch is renewed")
    expect(try store.read(.hall, after: before.lastEvent) == .reset, "a reader of another epoch is not reset")
    _ = try commit(after, .lock)
    guard let events = try events(after: after.lastEvent, "a reader of this epoch is reset") else { return }
    expect(events.count == 1, "a reader of this epoch sees \(events.count) events")
  }
}
