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
    /// Members that were removed; nil if the session has been ended.
    var removed: Set<Session.Member.ID>?
    /// The ids of the tokens that members have joined by.
    var tokens: [Session.Member.ID: String] = [:]
  }

  init(keys: HubKeys, isRevoked: @escaping @Sendable (_ token: String) -> Bool) {
    self.keys = keys
    self.isRevoked = isRevoked
  }

  /// Sessions with a publish or a play that was admitted here.
  var names: [Session.Name] { sessions.withLock { $0.values.map(\.name) } }

  /// Without a time, the key may have expired.
  func admits(_ question: MediaQuestion, at now: WallTime?) -> Bool {
    let grant =
      switch question.use {
      case .publish: keys.publishGrant(question.key, stream: question.stream, at: now)
      case .play: keys.playGrant(question.key, stream: question.stream, at: now)
      }
    guard let grant else { return false }
    guard let known = sessions.withLock({ $0[grant.session] }) else { return true }
    guard let removed = known.removed else { return false }
    return switch grant.use {
    case .publish(let member): !removed.contains(member) && known.tokens[member].map(isRevoked) != true
    case .play: true
    }
  }

  /// Notes what a session says of its members; true if somebody may no longer publish.
  func take(_ loaded: LoadedSession) -> Bool {
    let session = HubKeys.digest(of: loaded.session.name)
    if loaded.session.isForgotten { return sessions.withLock { $0.removeValue(forKey: session) != nil } }
    var known = Known(name: loaded.session.name)
    if let meeting = loaded.session.meeting {
      known.removed = Set(meeting.removed.map(\.id))
      for member in meeting.members { known.tokens[member.id] = member.identity.token }
    } else {
      // One that was only empty, or forgotten, ends nothing.
      known.removed = loaded.session.tombstones.isEmpty ? [] : nil
    }
    let before = sessions.withLock { [known] in $0.updateValue(known, forKey: session) }
    return before?.removed != known.removed
      || known.tokens.contains { before?.tokens[$0.key] == nil && isRevoked($0.value) }
  }

  func knows(_ session: String) -> Bool { sessions.withLock { $0[session] != nil } }

  /// A member has joined the session here: it is looked after from now on.
  func watch(_ name: Session.Name, _ member: Session.Member.ID, token: String?) {
    let session = HubKeys.digest(of: name)
    sessions.withLock { $0[session, default: Known(name: name, removed: [])].tokens[member] = token }
  }
}
