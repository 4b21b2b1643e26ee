import Glibc

/// The process and user at the other end of a unix socket, according to the kernel.
package struct PeerCredentials: Hashable, Sendable {
  package let process: Int32
  package let user: UInt32

  package init(process: Int32, user: UInt32) {
    self.process = process
    self.user = user
  }

  /// For a server as the peer, the process that called `listen`.
  package init(ofPeerAt descriptor: Int32) throws(SystemError) {
    var credentials: (pid: Int32, uid: UInt32, gid: UInt32) = (0, 0, 0)
    var length = socklen_t(MemoryLayout.size(ofValue: credentials))
    try check("SO_PEERCRED") { getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) }
    self.init(process: credentials.pid, user: credentials.uid)
  }

  package static var ownUser: UInt32 { geteuid() }
}
