import Glibc
import HoldfastCPlatform
package import HoldfastMediaModel

/// A connection to a local process; every call has a deadline.
package struct UnixConnection: ~Copyable, Sendable {
  package let peer: PeerCredentials
  private let file: FileDescriptor

  package init(_ path: String, until deadline: MonotonicTime) throws(SystemError) {
    try self.init(UnixSocketAddress(path: path), until: deadline)
  }

  package init(_ address: UnixSocketAddress, until deadline: MonotonicTime) throws(SystemError) {
    let raw = try check("socket") { socket(AF_UNIX, cp_SOCK_STREAM, 0) }
    let file = FileDescriptor(owning: raw)
    while address.withPointer({ connect(raw, $0, $1) }) != 0 {
      let error = SystemError.last("connect \(address)")
      // EAGAIN: the server's backlog is full, which `poll` cannot wait for.
      guard error.code == EAGAIN || error.code == EINTR, pauseBeforeRetry(until: deadline) else {
        throw error
      }
    }
    peer = try PeerCredentials(ofPeerAt: raw)
    self.file = file
  }

  package func send(_ bytes: [UInt8], until deadline: MonotonicTime) throws(SystemError) {
    var sent = 0
    while sent < bytes.count {
      let result = bytes.withUnsafeBytes {
        Glibc.send(file.raw, $0.baseAddress.map { $0 + sent }, bytes.count - sent, cp_MSG_NOSIGNAL)
      }
      if result > 0 { sent += result } else { try wait("send", for: POLLOUT, until: deadline) }
    }
  }

  /// Appends at most `limit` received bytes; false at the end of the stream.
  package func receive(
    into buffer: inout [UInt8], limit: Int = 4096, until deadline: MonotonicTime
  ) throws(SystemError) -> Bool {
    var piece = [UInt8](repeating: 0, count: limit)
    while true {
      let count = recv(file.raw, &piece, piece.count, 0)
      if count >= 0 {
        buffer += piece[..<count]
        return count > 0
      }
      try wait("receive", for: POLLIN, until: deadline)
    }
  }

  /// Waits after EAGAIN; throws any other error.
  private func wait(
    _ operation: String, for event: Int32, until deadline: MonotonicTime
  ) throws(SystemError) {
    let error = SystemError.last(operation)
    if error.code == EINTR { return }
    guard error.code == EAGAIN else { throw error }
    var entries = [pollfd(file.raw, for: event)]
    if try poll(&entries, until: deadline) == 0 { throw SystemError(operation: operation, code: ETIMEDOUT) }
  }
}

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
