import HoldfastMediaModel
import HoldfastSession
import HoldfastStores

/// What really happened to one session, as the store saw it.
final class SessionTruth {
  let name: Session.Name
  /// As it was committed last.
  var session: Session?
  /// The newest of each member in this epoch.
  var leases: [Session.Member.ID: Session.Lease] = [:]
  /// When each lease was last renewed, or its beat answered, in the world's time.
  var heard: [Session.Lease: Int64] = [:]
  var given: Set<Session.Lease> = []
  /// The last beat of members whose lease has ended.
  var heardBefore: [Session.Member.ID: Int64] = [:]
  var order = EventOrder()
  /// Of members that were reported as silent or not, and their last beat before that.
  var silences: [Session.Member.ID: (isSilent: Bool, heard: Int64)] = [:]
  var endings: [(reason: Session.EndReason, members: Set<Session.Member.ID>)] = []
  /// Also who was readmitted: it comes back as somebody new.
  var removed: Set<Session.Member.ID> = []
  /// A store that failed over did not know them; an answer from before may arrive later.
  private(set) var forgotten: Set<Session.Member.ID> = []
  /// Extensions and custom events that were carried out, by the ids of their requests.
  var done: Set<String> = []
  /// Somebody has asked to end it.
  var endAskedAt: Int64?
  /// When others last changed what a member mutes.
  var muteAskedAt: Int64 = 0

  init(_ name: Session.Name) { self.name = name }

  /// The store has failed over.
  func goOn(from session: Session?) {
    let known = Set((session?.meeting?.members ?? []).map(\.id))
    forgotten.formUnion((self.session?.meeting?.members ?? []).map(\.id).filter { !known.contains($0) })
    self.session = session
  }

  /// The last instant at which a lease is known to have been in use.
  func lastHeard(_ lease: Session.Lease) -> Int64 { heard[lease] ?? 0 }

  /// The leases of the session that count in the store's epoch.
  func noteLeases(epoch: UInt64) {
    leases = [:]
    for member in session?.meeting?.members ?? [] where member.lease?.epoch == epoch {
      leases[member.id] = member.lease
    }
  }

  /// With any lease.
  func lastHeard(_ member: Session.Member.ID, _ meeting: Session.Meeting?) -> Int64 {
    max(heardBefore[member] ?? 0, meeting?[member]?.lease.map { lastHeard($0) } ?? 0)
  }

  func forgetOldLeases(before time: Int64) {
    guard heard.count > 400 else { return }
    heard = heard.filter { $0.value >= time }
    heardBefore = heardBefore.filter { $0.value >= time }
  }
}

/// The events of one epoch in the order in which they were committed.
struct EventOrder {
  struct Entry {
    let json: String
    let at: Int64
    let value: JSONValue
  }

  private(set) var epoch: UInt64 = 0
  private var first: UInt64 = 1
  private var entries: [Entry] = []
  private static let maxEntries = 1200

  var last: UInt64 { first + UInt64(entries.count) - 1 }

  subscript(_ id: EventID) -> Entry? {
    guard id.epoch == epoch, id.sequence >= first, id.sequence <= last else { return nil }
    return entries[Int(id.sequence - first)]
  }

  /// Nil if it fits; else what is wrong with it.
  mutating func append(_ json: String, _ value: JSONValue, as id: EventID, at now: Int64) -> String? {
    if id.epoch != epoch {
      if id.epoch < epoch { return "an event of an older epoch, \(id)" }
      (epoch, first, entries) = (id.epoch, id.sequence, [])
    } else if entries.isEmpty {
      first = id.sequence
    }
    guard id.sequence == first + UInt64(entries.count) else {
      return "event \(id) follows \(epoch)-\(last): one number for two events, or a hole"
    }
    entries.append(Entry(json: json, at: now, value: value))
    if entries.count > Self.maxEntries {
      let extra = Self.maxEntries / 4
      entries.removeFirst(extra)
      first += UInt64(extra)
    }
    return nil
  }

  /// The newest event that is at least so old.
  func newest(before time: Int64) -> UInt64 {
    var index = entries.count
    while index > 0, entries[index - 1].at > time { index -= 1 }
    return first + UInt64(index) - 1
  }
}
