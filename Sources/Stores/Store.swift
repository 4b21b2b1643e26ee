package import HoldfastMediaModel
package import HoldfastSession

/// Where sessions live. Any number of hubs share a store, and keep nothing that it doesn't have.
///
/// Each verb is one step: it happens whole or not at all, and may have happened where its answer was lost. Instants
/// are the store's.
package protocol Store {
  /// The session as it was last committed, begun anew if the store has been since; an empty one if there is none.
  mutating func load(_ name: Session.Name, asking request: StoreRequest?) throws(StoreError) -> LoadedSession

  /// Replaces the session if it is still the one that was loaded, and deletes it if it is forgotten; the numbers of
  /// its versions and events go on.
  mutating func commit(_ commit: StoreCommit) throws(StoreError) -> CommitResult

  /// Renews a lease, keeps what its member says of itself beside the rules (nil: what it said before), and returns the
  /// version of the session; nil if there is no lease to renew.
  mutating func beat(
    _ lease: Session.Lease, statistics: String?, in name: Session.Name
  ) throws(StoreError) -> StoreVersion?

  /// Renews a lease, leaves its member's scores, and returns those of all in the last second; nil without a lease.
  mutating func levels(
    _ scores: String, of lease: Session.Lease, in name: Session.Name
  ) throws(StoreError) -> [Session.Lease: String]?

  /// The scores of all in the last second, for who has none to leave.
  mutating func heard(in name: Session.Name) throws(StoreError) -> [Session.Lease: String]

  /// What happened after an event that the reader knows.
  mutating func read(_ name: Session.Name, after event: EventID) throws(StoreError) -> EventPage

  /// Sessions that were committed after a change that the reader knows; nil for a reader that knows none.
  mutating func changes(after change: EventID?) throws(StoreError) -> ChangePage

  /// Sessions that have to be looked at so soon. A hint: one too many costs a look, one too few is found by a scan. As
  /// every session has to be looked at some day, a long time lists them all.
  mutating func due(within time: MediaTime) throws(StoreError) -> [Session.Name]

  /// Moves the instant at which a session has to be looked at, if it is still the one that was loaded.
  mutating func postpone(_ name: Session.Name, to due: WallTime?, expected: StoreVersion) throws(StoreError)

  /// Keeps the ids of tokens that every hub is to refuse, until the instants given; a later one wins. False if some did
  /// not fit, as there may be `limit` of them. `now` is the caller's, who has checked tokens by the same clock: what ended
  /// more than `RevokedTokens.slack` before is forgotten.
  mutating func revoke(
    _ tokens: [String: WallTime], limit: Int, needsReplica: Bool, at now: WallTime
  ) throws(StoreError) -> Bool

  /// All ids that were revoked, for a reader that knows another version of them, or none; nil if there is nothing new.
  mutating func revoked(after version: StoreVersion?) throws(StoreError) -> RevokedTokens?
}

/// A store of one hub has no one to share revoked tokens with.
extension Store {
  package mutating func revoke(
    _ tokens: [String: WallTime], limit: Int, needsReplica: Bool, at now: WallTime
  ) throws(StoreError) -> Bool { true }

  package mutating func revoked(after version: StoreVersion?) throws(StoreError) -> RevokedTokens? { nil }
}

package enum StoreError: Error, Hashable, Sendable {
  /// Whatever was asked may have happened or not: repeat it with the same request.
  case away(StoreTrouble)
  /// The stored session is damaged, or written by a newer program. It stays as it is.
  case unreadable(Session.FormError)
}

package enum StoreTrouble: Hashable, Sendable {
  /// Not reached, or not heard of in time; why, for people.
  case lost(String)
  /// The disk or the memory.
  case full(String)
  case readOnly(String)
  /// No replica has confirmed in time what must not be forgotten.
  case notConfirmed
  case failed(String)

  /// Whether it calls for the same answer, however it is worded.
  package func isLike(_ other: StoreTrouble) -> Bool {
    switch (self, other) {
    case (.lost, .lost), (.full, .full), (.readOnly, .readOnly), (.notConfirmed, .notConfirmed),
      (.failed, .failed):
      true
    case (.lost, _), (.full, _), (.readOnly, _), (.notConfirmed, _), (.failed, _): false
    }
  }

  /// For people: `the store …`.
  package var reason: String {
    switch self {
    case .lost(let reason): "can't be reached: \(reason)"
    case .full(let reason): "is full: \(reason)"
    case .readOnly(let reason): "can't be written to: \(reason)"
    case .notConfirmed: "has no replica that confirmed the change in time"
    case .failed(let reason): "failed: \(reason)"
    }
  }
}

/// Which session a commit replaces. A new epoch makes all older ones outdated.
package struct StoreVersion: Hashable, Sendable {
  package let epoch: UInt64
  package let count: UInt64

  package init(epoch: UInt64, count: UInt64) {
    self.epoch = epoch
    self.count = count
  }
}

package struct LoadedSession: Hashable, Sendable {
  package let session: Session
  package let version: StoreVersion
  /// The last beat of each lease.
  package let beats: [Session.Lease: WallTime]
  /// What came with the beats of each lease.
  package let statistics: [Session.Lease: String]
  package let lastEvent: EventID
  package let now: WallTime
  /// What became of the request that was asked for.
  package let known: KnownRequest?

  package init(
    session: Session, version: StoreVersion, beats: [Session.Lease: WallTime],
    statistics: [Session.Lease: String], lastEvent: EventID, now: WallTime, known: KnownRequest?
  ) {
    self.session = session
    self.version = version
    self.beats = beats
    self.statistics = statistics
    self.lastEvent = lastEvent
    self.now = now
    self.known = known
  }
}

extension LoadedSession {
  /// What a join has to say of who comes back; nil for who is new or not there.
  package func lastBeat(ofKey key: String, token: String?) -> WallTime? {
    let member = session.meeting?.present.first { $0.identity.key == key && $0.identity.token == token }
    return member?.lease.flatMap { beats[$0] }
  }
}

/// A command by its sender's id for it, so that a repeat does it once.
package struct StoreRequest: Hashable, Sendable {
  /// A member, or whoever else asks.
  package let sender: String
  package let id: String
  /// The command in words, so that the same id with another one is noticed.
  package let command: String

  package init(sender: String, id: String, command: String) {
    self.sender = sender
    self.id = id
    self.command = command
  }

  /// How long an answer is kept.
  package static let memory = MediaTime.seconds(600)
}

package enum KnownRequest: Hashable, Sendable {
  case answered(String)
  /// The id was used for another command.
  case idUsed
}

package struct StoreCommit: Hashable, Sendable {
  package let name: Session.Name
  package var expected: StoreVersion
  package let session: Session
  /// As streams show them, in order.
  package let events: [String]
  package var presence: [Session.PresenceChange]
  /// What was asked, and what is answered to it.
  package var request: StoreRequest?
  package let answer: String
  /// When the session has to be looked at next.
  package let due: WallTime?
  /// To be written to a replica, too, where there is one: a failover that forgets it would let somebody in again.
  package let needsReplica: Bool

  package init(
    _ loaded: LoadedSession, becomes session: Session, events: [Session.Event],
    request: StoreRequest? = nil, answer: String = "", due: WallTime?
  ) {
    name = session.name
    expected = loaded.version
    self.session = session
    self.events = events.map(\.json.description)
    presence = session.presenceChanges(since: loaded.session, events)
    self.request = request
    self.answer = answer
    self.due = due
    needsReplica = events.contains(where: \.needsReplica)
  }
}

extension Session.Event {
  fileprivate var needsReplica: Bool {
    switch self {
    case .removed, .locked, .hostChanged(_, .transferred): true
    case .joined, .left, .renamed, .hostChanged, .managerMade, .managerRevoked, .readmitted, .muted, .unmuted,
      .unmuteAsked, .unmuteDeclined, .unlocked, .screensLocked, .screensUnlocked, .passwordChanged, .timer,
      .ready, .event, .reported, .speaker, .stage, .onAir, .ended:
      false
    }
  }
}

package enum CommitResult: Hashable, Sendable {
  case committed(StoreVersion, lastEvent: EventID)
  /// Another commit came first: load again.
  case conflict
  /// A lease that was to expire has been renewed: load again.
  case renewed(Session.Lease)
  /// The request has been carried out already, or its id used.
  case known(KnownRequest)
}

package enum EventPage: Hashable, Sendable {
  case events([StoredEvent])
  /// The reader knows too little, or what the store has forgotten: it begins with the state.
  case reset

  /// How many events are kept.
  package static let memory = 1000
}

package enum ChangePage: Hashable, Sendable {
  /// Each once, with the last of the changes.
  case sessions([Session.Name], upTo: EventID)
  /// Any session may have changed: the reader knew none, or what the store has forgotten.
  case any(upTo: EventID)

  /// How many changes are kept.
  package static let memory = 1000

  package var last: EventID {
    switch self {
    case .sessions(_, let last), .any(let last): last
    }
  }
}

package struct StoredEvent: Hashable, Sendable {
  package let id: EventID
  package let json: String

  package init(id: EventID, json: String) {
    self.id = id
    self.json = json
  }
}

/// The ids of tokens that every hub of a store refuses, and until when.
package struct RevokedTokens: Hashable, Sendable {
  /// Never earlier than what was given.
  package let expiries: [String: WallTime]
  package let version: StoreVersion

  package init(expiries: [String: WallTime], version: StoreVersion) {
    self.expiries = expiries
    self.version = version
  }

  /// How long an id is kept beyond its instant: a clock that is behind by up to this accepts no revoked token.
  package static let slack = MediaTime.seconds(86_400)
}
