import Glibc
import HoldfastCPlatform
import HoldfastMediaModel

/// A unix socket for this user, in a private folder. Replaces a dead process's; `deinit` removes it.
package struct UnixListener: ~Copyable, Sendable {
  package let path: String
  private let folder: PrivateFolder
  private let file: FileDescriptor
  private let inode: UInt?

  package enum ClaimError: Error, Hashable, Sendable {
    /// A live process holds the name; nil if its ID is unknown.
    case taken(path: String, process: Int32?)
    case noSocket(path: String)
    case system(SystemError)
  }

  package init(_ name: String, in folder: consuming PrivateFolder, backlog: Int32 = 256) throws(ClaimError) {
    let path = folder.path + "/" + name
    // Two processes starting at once must not take each other's socket for a dead one.
    file = try folder.withLock(
      { () throws(ClaimError) in
        try Self.requireFree(path)
        return try Self.listen(at: path, backlog: backlog)
      }, orElse: ClaimError.system)
    inode = FileStatus(path)?.inode
    self.path = path
    self.folder = folder
  }

  deinit {
    // Another process may have replaced the file.
    try? folder.withLock(
      { () throws(SystemError) in
        if let inode, FileStatus(path)?.inode == inode { unlink(path) }
      }, orElse: { $0 })
  }

  /// A duplicate descriptor, for a library that closes the one it receives.
  package func duplicate() throws(SystemError) -> Int32 { try check("dup") { cp_duplicate(file.raw) } }

  private static func requireFree(_ path: String) throws(ClaimError) {
    guard let status = FileStatus(path) else { return }
    guard status.isSocket else { throw .noSocket(path: path) }
    switch holder(of: path) {
    case .living(let process): throw .taken(path: path, process: process)
    case .unclear(let error): throw .system(error)
    case .dead: unlink(path)
    }
  }

  private enum Holder {
    case living(process: Int32?)
    case dead
    case unclear(SystemError)
  }

  private static func holder(of path: String) -> Holder {
    do throws(SystemError) {
      let connection = try UnixConnection(path, until: .now)
      return .living(process: connection.peer.process)
    } catch {
      if error.isNotListening { return .dead }
      return error.isTimeOut ? .living(process: nil) : .unclear(error)
    }
  }

  private static func listen(at path: String, backlog: Int32) throws(ClaimError) -> FileDescriptor {
    do throws(SystemError) {
      let address = try UnixSocketAddress(path: path)
      let file = FileDescriptor(owning: try check("socket") { socket(AF_UNIX, cp_SOCK_STREAM, 0) })
      // The file takes its mode from the socket at `bind`.
      try check("chmod \(path)") { fchmod(file.raw, 0o600) }
      try check("bind \(path)") { address.withPointer { bind(file.raw, $0, $1) } }
      try check("listen \(path)") { Glibc.listen(file.raw, backlog) }
      return file
    } catch {
      throw .system(error)
    }
  }
}
