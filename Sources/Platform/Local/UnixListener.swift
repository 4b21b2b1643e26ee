internal import Glibc
internal import HoldfastCPlatform
internal import HoldfastMediaModel

/// A unix socket that listens at a name in a private folder, for this user alone; the file goes when the owner does.
///
/// One process has a name. A file that a dead one left is replaced.
package struct UnixListener: ~Copyable, Sendable {
  package let path: String
  private let folder: PrivateFolder
  private let file: FileDescriptor
  private let inode: UInt?

  package enum ClaimError: Error, Hashable, Sendable {
    /// A living process has it; its number where the kernel says it.
    case taken(path: String, process: Int32?)
    /// There is a file of that name that is no socket.
    case noSocket(path: String)
    case system(SystemError)
  }

  package init(_ name: String, in folder: consuming PrivateFolder, backlog: Int32 = 256) throws(ClaimError) {
    let path = folder.path + "/" + name
    // Two that start at once must not each take the other's file for a dead one's.
    let raw = try folder.whileAlone(
      { () throws(ClaimError) in
        try Self.requireFree(path)
        return try Self.listen(at: path, backlog: backlog)
      }, orElse: ClaimError.system)
    inode = FileStatus(path)?.inode
    file = FileDescriptor(owning: raw)
    self.path = path
    self.folder = folder
  }

  deinit {
    // What stands there may be somebody else's by now.
    try? folder.whileAlone(
      { () throws(SystemError) in
        if let inode, FileStatus(path)?.inode == inode { unlink(path) }
      }, orElse: { $0 })
  }

  /// Another hold on the socket, for a library that closes what it is given.
  package func duplicate() throws(SystemError) -> Int32 {
    try check("dup") { fcntl(file.raw, F_DUPFD_CLOEXEC, 0) }
  }

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
      if error.isNobodyThere { return .dead }
      // So many wait to be accepted that there is no room for one more.
      return error.isTimeOut ? .living(process: nil) : .unclear(error)
    }
  }

  private static func listen(at path: String, backlog: Int32) throws(ClaimError) -> Int32 {
    do throws(SystemError) {
      let address = try UnixSocketAddress(path)
      let raw = try check("socket") { socket(AF_UNIX, cp_SOCK_STREAM, 0) }
      do throws(SystemError) {
        // The file that bind makes has the socket's own mode, from its first moment on.
        try check("chmod \(path)") { fchmod(raw, 0o600) }
        try check("bind \(path)") { address.withPointer { bind(raw, $0, $1) } }
        try check("listen \(path)") { Glibc.listen(raw, backlog) }
      } catch {
        close(raw)
        throw error
      }
      return raw
    } catch {
      throw .system(error)
    }
  }
}
