internal import Glibc
internal import HoldfastCPlatform

/// For a connection that a library serves: a client that takes nothing must not cost much memory, and one that is gone
/// must be noticed.
package func prepareServedSocket(_ descriptor: Int32) {
  TCPSocket.setOption(descriptor, cp_IPPROTO_TCP, TCP_NODELAY, 1)
  TCPSocket.setOption(descriptor, cp_IPPROTO_TCP, TCP_USER_TIMEOUT, 20_000)
  TCPSocket.setOption(descriptor, SOL_SOCKET, SO_SNDBUF, 128 * 1024)
}
