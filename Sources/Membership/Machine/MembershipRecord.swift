package import HoldfastMediaModel
package import HoldfastSession

/// What a member keeps on disk, for one address of a session: who it is, and what is in force. Holds secrets.
package struct MembershipRecord: Hashable, Sendable {
  /// Random; the same key is the same member.
  package var key: String
  package var member: Session.Member.ID?
  /// Whether this broadcast has been in the session: then its end is the broadcast's.
  package var hasBeenIn = false
  package var lease: String?
  package var proof: String?
  /// Of the session, as of the desired state below.
  package var version: String?
  package var mutedBySelf: Set<TrackKind> = []
  /// What the member has unmuted itself, and no hub has confirmed.
  package var unmuted: Set<TrackKind> = []
  package var mutedByOthers: Set<TrackKind> = []
  package var lifted: Set<TrackKind> = []
  /// What the member has been asked to unmute.
  package var asked: Set<TrackKind> = []
  /// Where the outputs at the session publish to.
  package var ingest: [Session.Rendition: String] = [:]
  package var verdict: Verdict?

  /// Why a member does not come back by itself.
  package enum Verdict: Hashable, Sendable {
    case superseded
    case over(Session.EndReason?)
    /// By the operator's wish.
    case left
  }

  package init(key: String) { self.key = key }

  /// For a new broadcast: the same member, unless its session is over, with nothing of the last broadcast in force.
  func forNewBroadcast(newKey: String) -> MembershipRecord {
    if case .over = verdict { return MembershipRecord(key: newKey) }
    var record = MembershipRecord(key: key)
    record.member = member
    record.proof = proof
    return record
  }

  /// Whether a crash before the next beat would do harm without it. Each beat brings new keys, which last.
  func differsInForce(from other: MembershipRecord) -> Bool {
    var (left, right) = (self, other)
    (left.ingest, left.proof, left.version) = ([:], nil, nil)
    (right.ingest, right.proof, right.version) = ([:], nil, nil)
    return left != right || Set(ingest.keys) != Set(other.ingest.keys)
  }
}

// MARK: - JSON

extension MembershipRecord {
  private static let form: Int64 = 1

  package var json: JSONValue {
    .compact([
      ("form", .integer(Self.form)), ("key", .text(key)), ("member", JSONValue(member?.text)),
      ("hasBeenIn", JSONValue(hasBeenIn)),
      ("lease", JSONValue(lease)), ("proof", JSONValue(proof)), ("version", JSONValue(version)),
      ("bySelf", JSONValue(mutedBySelf)), ("byOthers", JSONValue(mutedByOthers)),
      ("unmuted", JSONValue(unmuted)), ("lifted", JSONValue(lifted)), ("asked", JSONValue(asked)),
      ("ingest", JSONValue(ingest[.main])), ("ingestSmall", JSONValue(ingest[.small])),
      ("verdict", JSONValue(verdict?.word)),
    ])
  }

  /// Nil for what `json` did not make, or a newer program.
  package init?(_ json: JSONValue) {
    guard json.field("form")?.integer == Self.form, let key = json.field("key")?.text, !key.isEmpty else {
      return nil
    }
    self.init(key: key)
    member = json.field("member")?.memberID
    hasBeenIn = json.field("hasBeenIn") == .bool(true)
    lease = json.field("lease")?.text
    proof = json.field("proof")?.text
    version = json.field("version")?.text
    for (field, path) in Self.trackFields {
      guard let value = json.field(field) else { continue }
      guard let tracks = value.tracks else { return nil }
      self[keyPath: path] = tracks
    }
    ingest[.main] = json.field("ingest")?.text
    ingest[.small] = json.field("ingestSmall")?.text
    guard let word = json.field("verdict")?.text else { return }
    guard let verdict = Verdict(word) else { return nil }
    self.verdict = verdict
  }

  private static var trackFields: [(String, WritableKeyPath<MembershipRecord, Set<TrackKind>>)] {
    [
      ("bySelf", \.mutedBySelf), ("unmuted", \.unmuted), ("byOthers", \.mutedByOthers), ("lifted", \.lifted),
      ("asked", \.asked),
    ]
  }
}

extension MembershipRecord.Verdict {
  fileprivate var word: String {
    switch self {
    case .superseded: "superseded"
    case .left: "left"
    case .over(let reason): reason.map(\.rawValue) ?? "over"
    }
  }

  fileprivate init?(_ word: String) {
    switch word {
    case "superseded": self = .superseded
    case "left": self = .left
    case "over": self = .over(nil)
    default:
      guard let reason = Session.EndReason(rawValue: word) else { return nil }
      self = .over(reason)
    }
  }
}
