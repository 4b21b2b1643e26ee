package import HoldfastMediaModel
import HoldfastPlatform

/// The revoked tokens of a broadcast, in a file shared by several processes. Writers replace the file
/// atomically under a lock; readers check for a new file before each answer.
package final class Revocations: Sendable {
  private struct Cache {
    var stamp: FileStamp?
    var list = RevocationList()
  }

  package let path: String
  private let folder: String
  private let cache = Locked(Cache())

  private static let fileName = "revoked-tokens"

  /// `folder` need not exist before the first revocation.
  package init(folder: String) {
    self.folder = folder
    path = "\(folder)/\(Self.fileName)"
  }

  /// Throws if the file can't be read; the token should then be refused.
  package func contains(_ id: String) throws(TokenFileError) -> Bool {
    try refresh()
    return cache.withLock { $0.list.expiries[id] != nil }
  }

  /// The ids in order, with their expiries if known.
  package func all() throws(TokenFileError) -> [(id: String, expiresAt: WallTime?)] {
    try refresh()
    let expiries = cache.withLock { $0.list.expiries }
    return expiries.sorted { $0.key < $1.key }.map { id, expiry in
      (id, expiry.map { WallTime(nanoseconds: min(max(0, $0), 9_000_000_000) * 1_000_000_000) })
    }
  }

  /// Once this returns the token is refused, even after a power failure. Without the token's `expiry` the id
  /// is kept for the longest lifetime of any token. So many entries of the list as `reserve` stay unused.
  package func revoke(
    _ id: String, expiring expiry: WallTime? = nil, at now: WallTime, leaving reserve: Int = 0
  ) throws(TokenFileError) {
    guard Token.isID(id) else {
      throw TokenFileError(
        .noID, "\(id.prefix(80).debugDescription) is not a token id",
        hint: "holdfast token prints it when it creates a token")
    }
    // The issuer's clock may be ahead by the leeway.
    let latest = now.nanoseconds + (Token.maxLifetime + Token.leeway).nanoseconds
    let end = (expiry?.nanoseconds ?? latest) / 1_000_000_000 + 1
    do throws(SystemError) {
      // If root revokes for a service, the service must still be able to read and replace the file.
      try createDirectory(folder, permissions: 0o700, keepsOwner: true)
      let privateFolder = try PrivateFolder(folder, isInSharedFolder: true, rootMayEnter: true)
      let isAdded = try privateFolder.withLock(
        { () throws(SystemError) in
          try add(id, until: end, at: now, leaving: reserve, to: try privateFolder.place(of: Self.fileName))
        }, orElse: { $0 })
      if isAdded { return }
    } catch {
      throw TokenFileError(revoked: path, error)
    }
    throw TokenFileError(
      .full, "\(path) is full", hint: "change the secret, which invalidates all tokens, and remove this file")
  }

  /// False if the list is full. The caller holds the lock.
  private func add(
    _ id: String, until end: Int64, at now: WallTime, leaving reserve: Int, to place: borrowing FilePlace
  ) throws(SystemError) -> Bool {
    var list = try Self.read(place)?.list ?? RevocationList()
    list.prune(at: now)
    list.add(id, until: end)
    guard list.expiries.count <= RevocationList.capacity - reserve else { return false }
    try place.replace(by: list.bytes, keepsOwner: true)
    try place.synchronizeFolder()
    return true
  }

  private func refresh() throws(TokenFileError) {
    do throws(SystemError) {
      // Without opening its folder, as this is asked with each request.
      guard try FileStamp(ofPath: path) != cache.withLock({ $0.stamp }) else { return }
      let place = try FilePlace(path)
      let stamp = try FileStamp(at: place)
      guard stamp != cache.withLock({ $0.stamp }) else { return }
      let found = try Self.read(place)
      cache.withLock { $0 = found ?? Cache() }
    } catch  where error.isNotFound {
      // The folder is created with the first revocation.
      cache.withLock { $0 = Cache() }
    } catch {
      throw TokenFileError(revoked: path, error)
    }
  }

  private static func read(_ place: borrowing FilePlace) throws(SystemError) -> Cache? {
    guard try FileStamp(at: place) != nil else { return nil }
    let file = try FileDescriptor.openForReading(place)
    let stamp = try FileStamp(of: file)
    let bytes = try file.bytes(RevocationList.sizeLimit + 1, at: 0)
    guard bytes.count <= RevocationList.sizeLimit else { throw .tooLarge(place.path) }
    return Cache(stamp: stamp, list: RevocationList(bytes))
  }
}
