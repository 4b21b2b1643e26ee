internal import Glibc

/// Two UDP sockets on neighbouring ports, as RTP wants them: media on the even one, control on the next.
package struct UDPPair: Sendable {
  package let media: UDPSocket
  package let control: UDPSocket

  /// Binds a free pair to an address of this machine, in digits.
  package init(at host: String) throws(ConnectionError) {
    guard let free = SocketAddress(literal: host, port: 0) else {
      throw ConnectionError(.system, "\(host): not an address in digits")
    }
    do throws(SystemError) {
      (media, control) = try Self.pair(at: host, free)
    } catch {
      throw ConnectionError(error, for: host)
    }
  }

  private static func pair(at host: String, _ free: SocketAddress) throws(SystemError) -> (
    UDPSocket, UDPSocket
  ) {
    // Those that don't fit are kept until the end, so that the system does not offer them again.
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
    throw SystemError(operation: "bind two neighbouring ports", code: EADDRINUSE)
  }

  /// From here on both hear the peer alone. The host is written in digits.
  package func connect(to host: String, media: UInt16, control: UInt16) throws(ConnectionError) {
    try self.media.connect(to: host, port: media)
    try self.control.connect(to: host, port: control)
  }
}
