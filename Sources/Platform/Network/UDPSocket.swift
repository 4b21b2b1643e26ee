internal import Glibc
internal import HoldfastCPlatform

/// A UDP socket that never blocks, and hears nobody but its peer.
package final class UDPSocket: Sendable {
  private let file: FileDescriptor
  /// Our own.
  package let port: UInt16
  private let peer = Locked("UDP")

  /// Bound to an address of this machine; port 0 is a free one.
  init(_ address: SocketAddress) throws(SystemError) {
    let raw = try check("socket") { socket(address.family, cp_SOCK_DGRAM, 0) }
    let file = FileDescriptor(owning: raw)
    try check("bind \(address)") { address.withPointer { bind(raw, $0, $1) } }
    port = TCPSocket.localAddress(raw)?.port ?? address.port
    self.file = file
  }

  /// From here on it sends to the peer, and hears it alone. The host is written in digits.
  package func connect(to host: String, port: UInt16) throws(ConnectionError) {
    let name = SocketAddress.written(host: host, port: port)
    guard let address = SocketAddress(literal: host, port: port) else {
      throw ConnectionError(.unresolved, "\(name): not an address in digits")
    }
    do throws(SystemError) {
      try check("connect") { address.withPointer { Glibc.connect(file.raw, $0, $1) } }
    } catch {
      throw ConnectionError(connecting: name, code: error.code)
    }
    peer.withLock { $0 = name }
  }

  /// False, and the datagram is gone, when the network takes no more for now.
  package func send(_ datagram: borrowing Span<UInt8>) throws(ConnectionError) -> Bool {
    let result = datagram.withUnsafeBytes { Glibc.send(file.raw, $0.baseAddress, $0.count, cp_MSG_NOSIGNAL) }
    if result >= 0 { return true }
    let code = cp_errno()
    if [EAGAIN, EWOULDBLOCK, ENOBUFS, EINTR].contains(code) { return false }
    throw ConnectionError(connectedTo: peer.withLock { $0 }, code: code)
  }

  /// The next datagram, in place of what `buffer` holds; false when there is none. Nobody's is longer than `limit`:
  /// what is, is cut.
  package func receive(into buffer: inout [UInt8], limit: Int = 65536) throws(ConnectionError) -> Bool {
    buffer.removeAll(keepingCapacity: true)
    var result = 0
    buffer.append(addingCapacity: limit) { (free: inout OutputSpan<UInt8>) in
      free.withUnsafeMutableBufferPointer { pointer, count in
        result = recv(file.raw, pointer.baseAddress, min(limit, pointer.count), 0)
        count = max(0, result)
      }
    }
    if result >= 0 { return true }
    let code = cp_errno()
    if [EAGAIN, EWOULDBLOCK, EINTR].contains(code) { return false }
    throw ConnectionError(connectedTo: peer.withLock { $0 }, code: code)
  }

  /// For `poll`.
  package var descriptor: Int32 { file.raw }
}
