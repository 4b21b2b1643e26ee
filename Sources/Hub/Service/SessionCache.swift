import HoldfastPlatform
import HoldfastSession
import HoldfastStores

/// Sessions as they were loaded, each good for as long as its version lasts; so that a beat costs no load.
package final class SessionCache: Sendable {
  private let loaded = Locked<[Session.Name: LoadedSession]>([:])

  static let capacity = 4096

  package init() {}

  func session(_ name: Session.Name, version: StoreVersion) -> LoadedSession? {
    loaded.withLock { loaded in
      guard let found = loaded[name], found.version == version else { return nil }
      return found
    }
  }

  /// An older version never replaces a newer one.
  func keep(_ session: LoadedSession) {
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
