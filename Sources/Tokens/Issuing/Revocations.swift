package import HoldfastMediaModel
import HoldfastPlatform

/// The revoked tokens of a broadcast or a hub, in a file shared by several processes. Writers replace the file
/// atomically under a lock; readers check for a new file before each answer. What a hub has learned from others
/// counts whether or not the file can be written.
package final class Revocations: Sendable {
  private struct Cache {
    var stamp: FileStamp?
    var list = RevocationList()
  }

  package let path: String
  private let folder: String
  private let cache = Locked(Cache())
  /// Learned from other hubs.
  private let learned = Locked(RevocationList())

  /// How many ids there may be.
  package static let capacity = RevocationList.capacity
  private static let fileName = "revoked-tokens"

  /// `folder` need not exist before the first revocation.
  package init(folder: String) {
    self.folder = folder
    path = "\(folder)/\(Self.fileName)"
  }

  /// Throws if the file can't be read; the token should then be refused.
  package func contains(_ id: String) throws(TokenFileError) -> Bool {
    if learned.withLock({ $0.expiries[id] != nil }) { return true }
    return try inFile().expiries[id] != nil
  }

  /// The ids in order, with their expiries if known.
  package func all() throws(TokenFileError) -> [(id: String, expiresAt: WallTime?)] {
    try inFile().expiries.sorted { $0.key < $1.key }.map { id, expiry in
      (id, expiry.map(Self.time))
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
    try revoke(Revocation(id: id, end: Self.end(of: expiry, at: now)), at: now, leaving: reserve)
  }

  func revoke(_ revocation: Revocation, at now: WallTime, leaving reserve: Int) throws(TokenFileError) {
    try add(RevocationList([revocation.id: revocation.end]), at: now, leaving: reserve)
  }

  /// When a revocation ends that begins now: in whole seconds, after the token's expiry if that is known.
  static func end(of expiry: WallTime?, at now: WallTime) -> WallTime {
    // The issuer's clock may be ahead by the leeway.
    let latest = expiry ?? now + (Token.maxLifetime + Token.leeway)
    return WallTime(nanoseconds: (latest.wholeSeconds + 1) * 1_000_000_000)
  }

  private func add(_ new: RevocationList, at now: WallTime, leaving reserve: Int) throws(TokenFileError) {
    do throws(SystemError) {
      // If root revokes for a service, the service must still be able to read and replace the file.
      try createDirectory(folder, permissions: 0o700, keepsOwner: true)
      let privateFolder = try PrivateFolder(folder, isInSharedFolder: true, rootMayEnter: true)
      let isAdded = try privateFolder.withLock(
        { () throws(SystemError) in
          try add(new, at: now, leaving: reserve, to: try privateFolder.place(of: Self.fileName))
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
    _ new: RevocationList, at now: WallTime, leaving reserve: Int, to place: borrowing FilePlace
  ) throws(SystemError) -> Bool {
    var list = try Self.read(place)?.list ?? RevocationList()
    list.prune(at: now)
    list.add(new)
    guard list.expiries.count <= RevocationList.capacity - reserve else { return false }
    try place.replace(by: list.bytes, keepsOwner: true)
    try place.synchronizeFolder()
    return true
  }

  private func inFile() throws(TokenFileError) -> RevocationList {
    do throws(SystemError) {
      // Without opening its folder, as this is asked with each request.
      let stamp = try FileStamp(ofPath: path)
      if let list = cache.withLock({ $0.stamp == stamp ? $0.list : nil }) { return list }
      let found = try Self.read(try FilePlace(path)) ?? Cache()
      cache.withLock { $0 = found }
      return found.list
    } catch  where error.isNotFound {
      // The folder is created with the first revocation.
      cache.withLock { $0 = Cache() }
      return RevocationList()
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

// MARK: - Other hubs

extension Revocations {
  /// Refuses what other hubs have revoked from now on; `save` keeps it for the next start. False if all was learned before.
  package func learn(_ tokens: [String: WallTime], at now: WallTime) -> Bool {
    let list = RevocationList(tokens)
    return learned.withLock { learned in
      let hasNew = !list.entries(lackingIn: learned).expiries.isEmpty
      learned.prune(at: now)
      learned.add(list)
      return hasNew
    }
  }

  /// Writes to the file what was learned, unless it is there.
  package func save(at now: WallTime) throws(TokenFileError) {
    var new = learned.withLock { $0 }
    new.prune(at: now)
    new = new.entries(lackingIn: try inFile())
    if !new.expiries.isEmpty { try add(new, at: now, leaving: 0) }
  }

  /// What other hubs have not revoked, or for a shorter time, of all that is known here.
  package func unknown(
    to others: [String: WallTime], at now: WallTime
  ) throws(TokenFileError) -> [String: WallTime] {
    var own = try inFile()
    own.add(learned.withLock { $0 })
    own.prune(at: now)
    let end = Self.end(of: nil, at: now)
    return own.entries(lackingIn: RevocationList(others)).expiries.mapValues { $0.map(Self.time) ?? end }
  }

  private static func time(_ expiry: Int64) -> WallTime {
    WallTime(nanoseconds: min(max(0, expiry), 9_000_000_000) * 1_000_000_000)
  }
}

/// A token that is to be refused.
package struct Revocation: Hashable, Sendable {
  package let id: String
  /// In whole seconds, after the token's expiry.
  package let end: WallTime
}
