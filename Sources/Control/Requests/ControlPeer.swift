/// Where a request comes from.
package enum ControlPeer: Hashable, Sendable {
  /// The unix socket: this user, or root.
  case local
  /// TCP. `isSameUser` is true where the kernel says that the other end is on this machine, and this user's or root's.
  case remote(address: String, isSameUser: Bool)
}
