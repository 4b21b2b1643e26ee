import Glibc
import HoldfastCPlatform
import HoldfastMediaModel

/// A non-blocking UDP socket with one peer.
package final class UDPSocket: Sendable {
  private let file: FileDescriptor
  package let port: UInt16
  private let peer = Locked("UDP")

  /// Binds to a local address; port 0 selects a free port.
  init(_ address: SocketAddress) throws(SystemError) {
    let raw = try check("socket") { socket(address.family, cp_SOCK_DGRAM, 0) }
    let file = FileDescriptor(owning: raw)
    try check("bind \(address)") { address.withPointer { bind(raw, $0, $1) } }
    port = SocketAddress(of: raw)?.port ?? address.port
    self.file = file
  }

  /// Connects to the peer; `host` must be numeric.
  package func connect(to host: String, port: UInt16) throws(ConnectionError) {
    let name = SocketAddress.written(host: host, port: port)
    guard let address = SocketAddress(literal: host, port: port) else {
      throw ConnectionError(.unresolved, "\(name): not a numeric address")
    }
    _ = try mapError(check("connect") { address.withPointer { Glibc.connect(file.raw, $0, $1) } }) {
      (error: SystemError) in ConnectionError(connecting: name, code: error.code)
    }
    peer.withLock { $0 = name }
  }

  /// False when the call would block; the datagram is then dropped.
  package func send(_ datagram: borrowing Span<UInt8>) throws(ConnectionError) -> Bool {
    let result = datagram.withUnsafeBytes { Glibc.send(file.raw, $0.baseAddress, $0.count, cp_MSG_NOSIGNAL) }
    if result >= 0 { return true }
    let code = cp_errno()
    if [EAGAIN, EWOULDBLOCK, ENOBUFS, EINTR].contains(code) { return false }
    throw ConnectionError(connectedTo: peer.withLock { $0 }, code: code)
  }

  /// Replaces `buffer` with the next datagram, truncated to `limit` bytes; false when there is none.
  package func receive(into buffer: inout [UInt8], limit: Int = 65536) throws(ConnectionError) -> Bool {
    buffer.removeAll(keepingCapacity: true)
    var result = 0
    buffer.append(upTo: limit) { room in
      result = recv(file.raw, room.baseAddress, room.count, 0)
      return max(0, result)
    }
    if result >= 0 { return true }
    let code = cp_errno()
    if [EAGAIN, EWOULDBLOCK, EINTR].contains(code) { return false }
    throw ConnectionError(connectedTo: peer.withLock { $0 }, code: code)
  }

  package var descriptor: Int32 { file.raw }
}

/// A pair of UDP sockets: RTP on an even port, RTCP on the next.
package struct UDPPair: Sendable {
  package let media: UDPSocket
  package let control: UDPSocket

  /// Binds a free pair; `host` must be a numeric local address.
  package init(at host: String) throws(ConnectionError) {
    guard let free = SocketAddress(literal: host, port: 0) else {
      throw ConnectionError(.system, "\(host): not a numeric address")
    }
    (media, control) = try forPeer(host, Self.pair(at: host, free))
  }

  private static func pair(at host: String, _ free: SocketAddress) throws(SystemError) -> (
    UDPSocket, UDPSocket
  ) {
    // Keeps unsuitable sockets open, so that the kernel does not choose their ports again.
    var unfit: [UDPSocket] = []
    for _ in 0..<64 {
      let media = try UDPSocket(free)
      if media.port % 2 == 0, let next = SocketAddress(literal: host, port: media.port + 1),
        let control = try? UDPSocket(next)
      {
        return (media, control)
      }
      unfit.append(media)
    }
    throw SystemError(operation: "bind two adjacent ports", code: EADDRINUSE)
  }

  package func connect(to host: String, media: UInt16, control: UInt16) throws(ConnectionError) {
    try self.media.connect(to: host, port: media)
    try self.control.connect(to: host, port: control)
  }
}
