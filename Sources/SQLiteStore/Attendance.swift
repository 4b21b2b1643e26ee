import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession

/// Who is present in which session: the leases that can be renewed, what came with their beats, and the store's clock.
///
/// All of it is in memory, so that a beat waits for no disk. What beats change is written in groups: with the next
/// commit, or 2 s after the last group, by who asks what is due. A crash forgets at most what was not written. That expires
/// nobody: an expiry counts from the judging hub's first contact with the store, which is later than the crash, and a
/// lease is longer than what is forgotten. A member's last beat may be taken for some seconds earlier than it was.
struct Attendance {
  struct Member: Hashable, Sendable {
    var beat: WallTime
    var statistics: String?
    var scores: Scores?
  }

  struct Scores: Hashable, Sendable {
    let text: String
    let at: WallTime
  }

  private struct Entry {
    /// The session's row in the file.
    let row: Int64
    var count: UInt64
    var members: [Session.Lease: Member] = [:]
    /// Leases that a commit is about to expire.
    var undecided: Set<Session.Lease> = []
  }

  var clock: StoreClock
  let epoch: UInt64
  /// Sessions in which somebody is present.
  private var entries: [SessionKey: Entry] = [:]
  private var unwritten: [SessionKey: Set<Session.Lease>] = [:]
  private var nextGroup: MediaTime
  private(set) var isClosed = false

  private static let groupInterval = MediaTime.seconds(2)
  private static let scoresCount = MediaTime.seconds(1)

  init(clock: StoreClock, epoch: UInt64, at reading: Instant) {
    self.clock = clock
    self.epoch = epoch
    nextGroup = reading.sinceBoot + Self.groupInterval
  }

  /// What the file has of a lease.
  mutating func add(_ beat: StoredBeat) {
    entries[beat.key, default: Entry(row: beat.row, count: beat.count)].members[beat.lease] = Member(
      beat: beat.at, statistics: beat.statistics)
  }

  func members(of key: SessionKey) -> [Session.Lease: Member] { entries[key]?.members ?? [:] }

  mutating func close() { isClosed = true }
}

// MARK: - Beats

extension Attendance {
  enum Renewal {
    /// The version of the session, and the scores of all who have some.
    case renewed(count: UInt64, scores: [Session.Lease: String])
    case noLease
    /// A commit decides: ask again when it is over.
    case undecided
    case closed
  }

  mutating func renew(
    _ lease: Session.Lease, statistics: String? = nil, scores: String? = nil, in key: SessionKey,
    at reading: Instant
  ) -> Renewal {
    guard !isClosed else { return .closed }
    guard lease.epoch == epoch, let entry = entries[key], var member = entry.members[lease] else {
      return .noLease
    }
    guard !entry.undecided.contains(lease) else { return .undecided }
    let now = clock.advance(to: reading)
    member.beat = now
    if let statistics { member.statistics = statistics }
    if let scores { member.scores = Scores(text: scores, at: now) }
    entries[key]?.members[lease] = member
    unwritten[key, default: []].insert(lease)
    return .renewed(count: entry.count, scores: scores == nil ? [:] : currentScores(in: key, at: now))
  }

  mutating func heard(in key: SessionKey, at reading: Instant) -> [Session.Lease: String] {
    currentScores(in: key, at: clock.advance(to: reading))
  }

  private func currentScores(in key: SessionKey, at now: WallTime) -> [Session.Lease: String] {
    members(of: key).compactMapValues { member in
      member.scores.flatMap { now < $0.at + Self.scoresCount ? $0.text : nil }
    }
  }
}

// MARK: - Commits

extension Attendance {
  /// Keeps the leases that a commit expires from being renewed until it is over; returns one that has been.
  mutating func hold(
    _ presence: [Session.PresenceChange], in key: SessionKey, at now: WallTime
  ) -> Session.Lease? {
    let expiring = presence.compactMap { change -> Session.Lease? in
      if case .expire(_, let lease) = change { lease } else { nil }
    }
    let members = members(of: key)
    let renewed = expiring.first { lease in
      members[lease].map { now < $0.beat + Session.Limits.lease } ?? false
    }
    if renewed == nil { entries[key]?.undecided = Set(expiring) }
    return renewed
  }

  mutating func release(_ key: SessionKey) { entries[key]?.undecided = [] }

  /// What a commit has done.
  mutating func apply(
    _ presence: [Session.PresenceChange], in key: SessionKey, row: Int64, count: UInt64, at now: WallTime
  ) {
    var entry = entries[key] ?? Entry(row: row, count: count)
    entry.count = count
    for change in presence {
      switch change {
      case .add(_, let lease): entry.members[lease] = Member(beat: now)
      case .remove(_, let lease), .expire(_, let lease): entry.members[lease] = nil
      }
    }
    entries[key] = entry.members.isEmpty ? nil : entry
  }
}

// MARK: - Groups

extension Attendance {
  /// Whether the caller has to write a group now.
  mutating func isGroupDue(at reading: Instant) -> Bool {
    guard !unwritten.isEmpty, reading.sinceBoot >= nextGroup else { return false }
    nextGroup = reading.sinceBoot + Self.groupInterval
    return true
  }

  /// What is to be written; to be put back if it is not.
  mutating func takeUnwritten() -> [StoredBeat] {
    defer { unwritten = [:] }
    return unwritten.flatMap { key, leases -> [StoredBeat] in
      guard let entry = entries[key] else { return [] }
      return leases.compactMap { lease in
        entry.members[lease].map {
          StoredBeat(
            key: key, row: entry.row, count: entry.count, lease: lease, at: $0.beat, statistics: $0.statistics
          )
        }
      }
    }
  }

  mutating func putBack(_ beats: [StoredBeat]) {
    for beat in beats { unwritten[beat.key, default: []].insert(beat.lease) }
  }
}

/// What sessions of one name have in common: the folded and composed bytes, as the file has them.
struct SessionKey: Hashable, Sendable {
  private let bytes: [UInt8]

  init(_ name: Session.Name) { self.init(stored: name.folded.composed) }

  init(stored text: String) { bytes = Array(text.utf8) }

  var text: String { String(decoding: bytes, as: UTF8.self) }
}
