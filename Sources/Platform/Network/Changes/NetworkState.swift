internal import HoldfastCPlatform

/// Tells changes of the network that matter to connections from the kernel's chatter.
struct NetworkState {
  /// Of each link: whether it is switched on, and has a carrier.
  private var links: [Int32: UInt32] = [:]

  /// True when a way may have opened or closed.
  mutating func isChange(_ message: NetlinkMessage) -> Bool {
    switch message {
    case .link(let index, let flags):
      // A link reports itself for many reasons: a scan of a radio, a new name.
      let usable = flags & cp_IFF_UP_RUNNING
      return links.updateValue(usable, forKey: index) != usable
    case .linkRemoved(let index):
      links[index] = nil
      return true
    case .address(let isTentative): return !isTentative
    case .addressRemoved: return true
    case .route(let isKernelsOwn): return !isKernelsOwn
    case .other: return false
    }
  }
}
