import Glibc
import HoldfastCPlatform

/// A folder with sockets that may be asked.
package struct SocketFolder: Sendable {
  package let path: String
  /// The user who must be at the other end of its sockets.
  private let owner: UInt32

  /// Nil unless the folder is this user's or root's. Root may also use another user's, if only root can have placed it.
  package init?(_ path: String) {
    guard let place = try? FilePlace(path, followsLink: true),
      let status = try? place.status(), status.st_mode & S_IFMT == S_IFDIR
    else { return nil }
    let own = geteuid()
    let owner = status.st_uid
    guard owner == own || owner == 0 || own == 0 && place.isPlacedByRootOnly else { return nil }
    self.path = path
    self.owner = owner
  }

  package init?(of socket: String) { self.init(folder(of: socket)) }

  package func mayServe(_ peer: PeerCredentials) -> Bool { peer.user == owner }
}
