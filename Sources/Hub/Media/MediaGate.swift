import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession
import HoldfastStores

/// Who may publish and play. Keys are checked without the store; what the sessions have said since they were given counts
/// as far as it is known here.
final class MediaGate: Sendable {
  private let keys: HubKeys
  private let sessions = Locked<[String: Known]>([:])

  private struct Known: Sendable {
    let name: Session.Name
    /// Nil of a session of which nothing has been heard yet.
    var version: StoreVersion?
    /// Members that were removed; nil if the session has been ended.
    var removed: Set<Session.Member.ID>?
  }

  init(keys: HubKeys) { self.keys = keys }

  /// Sessions with a publish or a play that was admitted here.
  var names: [Session.Name] { sessions.withLock { $0.values.map(\.name) } }

  func admits(_ question: MediaQuestion, at now: WallTime) -> Bool {
    let grant =
      switch question.use {
      case .publish: keys.publishGrant(question.key, stream: question.stream, at: now)
      case .play: keys.playGrant(question.key, stream: question.stream, at: now)
      }
    guard let grant else { return false }
    guard let known = sessions.withLock({ $0[grant.session] }) else { return true }
    guard let removed = known.removed else { return false }
    return switch grant.use {
    case .publish(let member): !removed.contains(member)
    case .play: true
    }
  }

  /// Notes what a session says of its members, unless something newer is known; true if somebody may no longer publish.
  func take(_ loaded: LoadedSession) -> Bool {
    let session = HubKeys.digest(of: loaded.session.name)
    if loaded.session.isForgotten { return sessions.withLock { $0.removeValue(forKey: session) != nil } }
    var known = Known(name: loaded.session.name, version: loaded.version)
    if let meeting = loaded.session.meeting {
      known.removed = Set(meeting.removed.map(\.id))
    } else {
      // One that was only empty, or forgotten, ends nothing.
      known.removed = loaded.session.tombstones.isEmpty ? [] : nil
    }
    return sessions.withLock { sessions in
      let before = sessions[session]
      if let version = before?.version, version.isNewer(than: loaded.version) { return false }
      sessions[session] = known
      return before?.removed != known.removed
    }
  }

  /// Whether it is looked after.
  func knows(_ session: String) -> Bool { sessions.withLock { $0[session] != nil } }

  func hasHeard(of session: String) -> Bool { sessions.withLock { $0[session]?.version != nil } }

  /// Somebody joins the session here: what happens in it from now on is heard of.
  func watch(_ name: Session.Name) {
    let session = HubKeys.digest(of: name)
    sessions.withLock { if $0[session] == nil { $0[session] = Known(name: name, removed: []) } }
  }
}
