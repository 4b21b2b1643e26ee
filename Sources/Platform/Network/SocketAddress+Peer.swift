internal import Glibc
internal import HoldfastCPlatform

extension SocketAddress {
  /// Of who is at the other end of a connected socket.
  package init?(ofPeerAt descriptor: Int32) {
    guard let address = TCPSocket.peerAddress(descriptor) else { return nil }
    self = address
  }

  /// As the system gives it.
  package init?(bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= MemoryLayout<sa_family_t>.size,
      let address = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
    else { return nil }
    self.init(address, length: socklen_t(clamping: bytes.count))
  }

  /// The bytes of the address alone: 4 of an IPv4 one, also where it is written as an IPv6 one, and 16 of others.
  private var digits: [UInt8] {
    switch family {
    case AF_INET: return withBytes { Array($0[4..<8]) }
    case AF_INET6:
      let all = withBytes { Array($0[8..<24]) }
      return all.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]) ? Array(all[12...]) : all
    default: return []
    }
  }

  /// Only this machine can be reached there, or be there.
  package var isLoopback: Bool {
    let digits = digits
    return digits.count == 4 ? digits[0] == 127 : digits == [UInt8](repeating: 0, count: 15) + [1]
  }

  package var network: SocketNetwork { SocketNetwork(prefix: Array(digits.prefix(8))) }
}

/// What one party is likely to have for itself: an IPv4 address, or the first half of an IPv6 one.
package struct SocketNetwork: Hashable, Sendable {
  let prefix: [UInt8]
}
