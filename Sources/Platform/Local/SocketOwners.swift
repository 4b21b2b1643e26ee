import Glibc
import HoldfastCPlatform

/// Finds the user at the other end of a local TCP connection.
package final class SocketOwners: Sendable {
  private let netlink: FileDescriptor

  package init() throws(SystemError) {
    netlink = FileDescriptor(
      owning: try check("socket(NETLINK_SOCK_DIAG)") { socket(AF_NETLINK, cp_SOCK_RAW, cp_NETLINK_SOCK_DIAG) }
    )
    // The kernel answers during the request.
    var limit = timeval(tv_sec: 0, tv_usec: 200_000)
    setsockopt(netlink.raw, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    cp_set_blocking(netlink.raw)
  }

  /// The peer's user ID; nil if the peer is not on loopback, has closed, or is uncertain.
  package func owner(ofPeerAt descriptor: Int32) -> UInt32? {
    guard let peer = SocketAddress(ofPeerAt: descriptor), let own = SocketAddress(of: descriptor),
      peer.isLoopback, own.isLoopback
    else { return nil }
    let owner = peer.withPointer { peer, _ in
      own.withPointer { own, _ in cp_socket_owner(netlink.raw, peer, own) }
    }
    guard owner >= 0, isConnected(descriptor) else { return nil }
    return UInt32(clamping: owner)
  }

  /// Whether this end is connected; no other connection can then have the same pair of addresses.
  private func isConnected(_ descriptor: Int32) -> Bool {
    var information = tcp_info()
    var length = socklen_t(MemoryLayout<tcp_info>.size)
    guard getsockopt(descriptor, cp_IPPROTO_TCP, TCP_INFO, &information, &length) == 0 else { return false }
    let state = Int(information.tcpi_state)
    return state == Int(TCP_ESTABLISHED) || state == Int(TCP_CLOSE_WAIT)
  }
}
