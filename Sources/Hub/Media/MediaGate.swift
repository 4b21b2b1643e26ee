import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession
import HoldfastStores

/// Who may publish and play. Keys are checked without the store; what the sessions have said since they were given counts
/// as far as it is known here.
final class MediaGate: Sendable {
  private let keys: HubKeys
  private let isRevoked: @Sendable (_ token: String) -> Bool
  private let sessions = Locked<[String: Known]>([:])

  private struct Known: Sendable {
    let name: Session.Name
    /// Nil of a session of which nothing has been heard yet.
    var version: StoreVersion?
    /// Members that were removed, or whose session was ended.
    var removed: Set<Session.Member.ID> = []
    /// The ids of the tokens that members have joined by.
    var tokens: [Session.Member.ID: String] = [:]
    /// When the last key of a session that was forgotten, or never heard of, expires.
    var lapsesAt: WallTime?
  }

  init(keys: HubKeys, isRevoked: @escaping @Sendable (_ token: String) -> Bool) {
    self.keys = keys
    self.isRevoked = isRevoked
  }

  /// Sessions with a publish or a play that was admitted here.
  var names: [Session.Name] { sessions.withLock { $0.values.map(\.name) } }

  /// Without a time, the key may have expired.
  func admits(_ question: MediaQuestion, at now: WallTime?) -> Bool {
    switch question.use {
    case .play: return keys.playGrant(question.key, stream: question.stream, at: now) != nil
    case .publish:
      guard let stream = keys.publishGrant(question.key, stream: question.stream, at: now) else {
        return false
      }
      guard let known = sessions.withLock({ $0[stream.session] }) else { return true }
      return !known.removed.contains(stream.member) && known.tokens[stream.member].map(isRevoked) != true
    }
  }

  /// Notes what a session says of its members, unless something newer is known; true if somebody may no longer publish.
  func take(_ loaded: LoadedSession) -> Bool {
    let session = HubKeys.digest(of: loaded.session.name)
    guard !loaded.session.isForgotten else {
      // Keys outlive the session for some minutes, and what is known of their members with them.
      sessions.withLock { sessions in
        let now = WallTime.now
        if sessions[session]?.lapsesAt == nil { sessions[session]?.lapsesAt = now + MediaAddresses.keyLife }
        Self.forgetLapsed(&sessions, at: now)
      }
      return false
    }
    var known = Known(name: loaded.session.name, version: loaded.version)
    // A meeting that was only empty, or forgotten, ends nothing.
    for tombstone in loaded.session.tombstones { known.removed.formUnion(tombstone.memberIDs) }
    if let meeting = loaded.session.meeting {
      known.removed.formUnion(meeting.removed.map(\.id))
      for member in meeting.members { known.tokens[member.id] = member.identity.token }
    }
    return sessions.withLock { [known] sessions in
      let before = sessions[session]
      if let version = before?.version, version.isNewer(than: loaded.version) { return false }
      sessions[session] = known
      return before?.removed != known.removed
        || known.tokens.contains { before?.tokens[$0.key] == nil && isRevoked($0.value) }
    }
  }

  private static func forgetLapsed(_ sessions: inout [String: Known], at now: WallTime) {
    sessions = sessions.filter { $0.value.lapsesAt.map { now < $0 } ?? true }
  }

  /// Whether it is looked after.
  func knows(_ session: String) -> Bool { sessions.withLock { $0[session] != nil } }

  func hasHeard(of session: String) -> Bool { sessions.withLock { $0[session]?.version != nil } }

  /// Somebody asks to join the session here: what happens in it from now on is heard of.
  func watch(_ name: Session.Name, at now: WallTime = .now) {
    let session = HubKeys.digest(of: name)
    sessions.withLock { sessions in
      guard sessions[session] == nil else { return }
      Self.forgetLapsed(&sessions, at: now)
      sessions[session] = Known(name: name, lapsesAt: now + MediaAddresses.keyLife)
    }
  }
}
