import HoldfastPlatform
package import HoldfastSession
package import HoldfastStores

/// Sessions as they were loaded or committed, each good for as long as its version lasts; so that a beat costs no load.
package final class SessionCache: KnownSessions {
  private let loaded = Locked<[Session.Name: LoadedSession]>([:])

  static let capacity = 4096

  package init() {}

  package func newest(_ name: Session.Name) -> LoadedSession? { loaded.withLock { $0[name] } }

  func session(_ name: Session.Name, version: StoreVersion) -> LoadedSession? {
    newest(name).flatMap { $0.version == version ? $0 : nil }
  }

  /// An older version never replaces a newer one.
  package func keep(_ session: LoadedSession) {
    loaded.withLock { loaded in
      let name = session.session.name
      if let known = loaded[name], known.version.isNewer(than: session.version) { return }
      if loaded[name] == nil, loaded.count >= Self.capacity { loaded.removeAll() }
      loaded[name] = session
    }
  }
}

extension StoreVersion {
  func isNewer(than other: StoreVersion) -> Bool { (epoch, count) > (other.epoch, other.count) }
}
