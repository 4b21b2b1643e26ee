package import HoldfastMediaModel
package import HoldfastSession

/// A store in memory, with a clock that is set. A value: a copy of it is a replica.
package struct MemoryStore: Store, Hashable, Sendable {
  private struct Entry: Hashable, Sendable {
    /// Nil of a session that was forgotten.
    var stored: String? { didSet { reading = Reading() } }
    var reading = Reading()
    var count: UInt64 = 0
    var beats: [Session.Lease: WallTime] = [:]
    var statistics: [Session.Lease: String] = [:]
    var scores: [Session.Lease: Scores] = [:]
    var events: [StoredEvent] = []
    var lastSequence: UInt64 = 0
    var due: WallTime?
  }

  /// What a session's stored form says, once it has been read. It makes no difference between two stores.
  private struct Reading: Hashable, Sendable {
    var session: Session?

    static func == (left: Reading, right: Reading) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
  }

  private struct Scores: Hashable, Sendable {
    let text: String
    let at: WallTime
  }

  private struct Asked: Hashable, Sendable {
    let command: String
    let answer: String
    let at: WallTime
  }

  private struct Asker: Hashable, Sendable {
    let name: Session.Name
    let sender: String
    let id: String
  }

  package private(set) var now = WallTime(nanoseconds: 1_800_000_000_000_000_000)
  package private(set) var epoch = Session.Epoch(number: 1)
  private var entries: [Session.Name: Entry] = [:]
  private var asked: [Asker: Asked] = [:]
  /// How many answers there are when the old ones are forgotten next.
  private var askedLimit = 1000
  /// The sessions of the last commits.
  private var changed: [Session.Name] = []
  private var lastChange: UInt64 = 0
  private var revokedTokens: [String: WallTime] = [:]
  private var revokedCount: UInt64 = 0

  package init() {}

  package mutating func pass(_ length: MediaTime) { now = now + length }

  /// Goes on from `replica`, which may lack the last writes.
  package mutating func failOver(to replica: MemoryStore) {
    let (now, known) = (now, epoch.number)
    self = replica
    self.now = now
    epoch = Session.Epoch(number: max(known + 1, UInt64(now.nanoseconds / 1_000_000)), began: now)
    changed = []
  }

  package mutating func load(
    _ name: Session.Name, asking request: StoreRequest?
  ) throws(StoreError) -> LoadedSession {
    let entry = entries[name]
    var session = Session(name, epoch: epoch)
    if let read = entry?.reading.session {
      session = read
    } else if let stored = entry?.stored {
      do throws(Session.FormError) {
        session = try Session(stored: stored)
        entries[name]?.reading.session = session
      } catch {
        throw .unreadable(error)
      }
    }
    session.begin(epoch)
    return LoadedSession(
      session: session, version: version(of: entry), beats: entry?.beats ?? [:],
      statistics: entry?.statistics ?? [:],
      lastEvent: EventID(epoch: epoch.number, sequence: entry?.lastSequence ?? 0), now: now,
      known: request.flatMap { known($0, name) })
  }

  package func holds(_ name: Session.Name) -> Bool { entries[name]?.stored != nil }

  package mutating func replace(_ name: Session.Name, with stored: String) { entries[name]?.stored = stored }

  package mutating func commit(_ commit: StoreCommit) throws(StoreError) -> CommitResult {
    if let request = commit.request, let known = known(request, commit.name) { return .known(known) }
    var entry = entries[commit.name] ?? Entry()
    guard commit.expected == version(of: entries[commit.name]) else { return .conflict }
    for case .expire(_, let lease) in commit.presence {
      if let beat = entry.beats[lease], now < beat + Session.Limits.lease { return .renewed(lease) }
    }
    for change in commit.presence {
      switch change {
      case .add(_, let lease): entry.beats[lease] = now
      case .remove(_, let lease), .expire(_, let lease):
        entry.beats[lease] = nil
        entry.statistics[lease] = nil
      }
    }
    entry.events.removeAll { $0.id.epoch != epoch.number }
    for json in commit.events {
      entry.lastSequence += 1
      entry.events.append(
        StoredEvent(id: EventID(epoch: epoch.number, sequence: entry.lastSequence), json: json))
    }
    entry.events.removeFirst(max(0, entry.events.count - EventPage.memory))
    entry.stored = commit.session.isForgotten ? nil : commit.session.stored
    entry.count += 1
    entry.due = commit.due
    entries[commit.name] = entry
    changed = changed.suffix(ChangePage.memory - 1) + [commit.name]
    lastChange += 1
    if let request = commit.request {
      forgetAnswers()
      asked[Asker(name: commit.name, sender: request.sender, id: request.id)] = Asked(
        command: request.command, answer: commit.answer, at: now)
    }
    return .committed(
      version(of: entry), lastEvent: EventID(epoch: epoch.number, sequence: entry.lastSequence))
  }

  package mutating func beat(
    _ lease: Session.Lease, statistics: String?, in name: Session.Name
  ) throws(StoreError) -> StoreVersion? {
    guard lease.epoch == epoch.number, entries[name]?.beats[lease] != nil else { return nil }
    entries[name]?.beats[lease] = now
    if let statistics { entries[name]?.statistics[lease] = statistics }
    return version(of: entries[name])
  }

  package mutating func levels(
    _ scores: String, of lease: Session.Lease, in name: Session.Name
  ) throws(StoreError) -> [Session.Lease: String]? {
    guard try beat(lease, statistics: nil, in: name) != nil else { return nil }
    entries[name]?.scores[lease] = Scores(text: scores, at: now)
    return try heard(in: name)
  }

  package mutating func heard(in name: Session.Name) throws(StoreError) -> [Session.Lease: String] {
    let now = now
    return entries[name]?.scores.filter { now < $0.value.at + .seconds(1) }.mapValues(\.text) ?? [:]
  }

  package mutating func read(_ name: Session.Name, after event: EventID) throws(StoreError) -> EventPage {
    let events = entries[name]?.events ?? []
    let last = entries[name]?.lastSequence ?? 0
    let first = events.first.map { $0.id.epoch == epoch.number ? $0.id.sequence : last + 1 } ?? last + 1
    guard event.epoch == epoch.number, event.sequence <= last, event.sequence + 1 >= first else {
      return .reset
    }
    return .events(events.filter { $0.id.sequence > event.sequence })
  }

  package mutating func changes(after change: EventID?) throws(StoreError) -> ChangePage {
    let last = EventID(epoch: epoch.number, sequence: lastChange)
    guard let change, change.epoch == epoch.number, change.sequence <= lastChange,
      case let count = lastChange - change.sequence, count <= changed.count
    else { return .any(upTo: last) }
    let names = Set(changed.suffix(Int(count)))
    return .sessions(names.sorted { $0.folded < $1.folded }, upTo: last)
  }

  package mutating func due(within time: MediaTime) throws(StoreError) -> [Session.Name] {
    let until = now + time
    return entries.filter { $0.value.due.map { $0 <= until } ?? false }.map(\.key).sorted {
      $0.folded < $1.folded
    }
  }

  package mutating func postpone(
    _ name: Session.Name, to due: WallTime?, expected: StoreVersion
  ) throws(StoreError) {
    guard expected == version(of: entries[name]) else { return }
    entries[name]?.due = due
  }

  package mutating func revoke(
    _ tokens: [String: WallTime], limit: Int, needsReplica: Bool, at now: WallTime
  ) throws(StoreError) -> Bool {
    revokedTokens = revokedTokens.filter { $0.value > now - RevokedTokens.slack }
    let before = revokedTokens
    var allFit = true
    for (id, expiry) in tokens {
      if revokedTokens[id] == nil, revokedTokens.count >= limit {
        allFit = false
      } else {
        revokedTokens[id] = max(revokedTokens[id] ?? expiry, expiry)
      }
    }
    if revokedTokens != before { revokedCount += 1 }
    return allFit
  }

  package mutating func revoked(after version: StoreVersion?) throws(StoreError) -> RevokedTokens? {
    let latest = StoreVersion(epoch: epoch.number, count: revokedCount)
    return version == latest ? nil : RevokedTokens(expiries: revokedTokens, version: latest)
  }

  /// Those that are too old to count, now and then.
  private mutating func forgetAnswers() {
    guard asked.count >= askedLimit else { return }
    asked = asked.filter { now < $0.value.at + StoreRequest.memory }
    askedLimit = max(1000, 2 * asked.count)
  }

  private func version(of entry: Entry?) -> StoreVersion {
    StoreVersion(epoch: epoch.number, count: entry?.count ?? 0)
  }

  private func known(_ request: StoreRequest, _ name: Session.Name) -> KnownRequest? {
    guard let asked = asked[Asker(name: name, sender: request.sender, id: request.id)],
      now < asked.at + StoreRequest.memory
    else { return nil }
    return asked.command == request.command ? .answered(asked.answer) : .idUsed
  }
}
