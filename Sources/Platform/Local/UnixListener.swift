internal import Glibc
internal import HoldfastCPlatform
internal import HoldfastMediaModel

/// A unix socket in a private folder, for this user alone; its file is removed at the end.
///
/// One process at a time holds a name. The file of a dead process is replaced.
package struct UnixListener: ~Copyable, Sendable {
  package let path: String
  private let folder: PrivateFolder
  private let file: FileDescriptor
  private let inode: UInt?

  package enum ClaimError: Error, Hashable, Sendable {
    /// A live process holds the name; its number where the kernel knows it.
    case taken(path: String, process: Int32?)
    /// A file of that name is no socket.
    case noSocket(path: String)
    case system(SystemError)
  }

  package init(_ name: String, in folder: consuming PrivateFolder, backlog: Int32 = 256) throws(ClaimError) {
    let path = folder.path + "/" + name
    // Of two processes that start at once, neither may take the other's file for a dead one's.
    file = try folder.whileAlone(
      { () throws(ClaimError) in
        try Self.requireFree(path)
        return try Self.listen(at: path, backlog: backlog)
      }, orElse: ClaimError.system)
    inode = FileStatus(path)?.inode
    self.path = path
    self.folder = folder
  }

  deinit {
    // The file may be another process's by now.
    try? folder.whileAlone(
      { () throws(SystemError) in
        if let inode, FileStatus(path)?.inode == inode { unlink(path) }
      }, orElse: { $0 })
  }

  /// A second descriptor of the socket, for a library that closes the one it is given.
  package func duplicate() throws(SystemError) -> Int32 {
    try check("dup") { cp_duplicate(file.raw) }
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
      // The queue of connections to accept is full.
      return error.isTimeOut ? .living(process: nil) : .unclear(error)
    }
  }

  private static func listen(at path: String, backlog: Int32) throws(ClaimError) -> FileDescriptor {
    do throws(SystemError) {
      let address = try UnixSocketAddress(path: path)
      let file = FileDescriptor(owning: try check("socket") { socket(AF_UNIX, cp_SOCK_STREAM, 0) })
      // The file that bind makes has the socket's mode from the start.
      try check("chmod \(path)") { fchmod(file.raw, 0o600) }
      try check("bind \(path)") { address.withPointer { bind(file.raw, $0, $1) } }
      try check("listen \(path)") { Glibc.listen(file.raw, backlog) }
      return file
    } catch {
      throw .system(error)
    }
  }
}
