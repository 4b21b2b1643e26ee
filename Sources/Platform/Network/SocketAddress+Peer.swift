import Glibc
import HoldfastCPlatform

extension SocketAddress {
  package init?(ofPeerAt descriptor: Int32) { self.init { getpeername(descriptor, $0, $1) } }

  /// The address that a socket is bound to.
  init?(of descriptor: Int32) { self.init { getsockname(descriptor, $0, $1) } }

  package init?(bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= MemoryLayout<sa_family_t>.size,
      let address = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
    else { return nil }
    self.init(address, length: socklen_t(clamping: bytes.count))
  }

  /// The address's 4 or 16 bytes; 4 for an IPv4-mapped IPv6 address, too.
  private var digits: [UInt8] {
    switch family {
    case AF_INET: return withBytes { Array($0[4..<8]) }
    case AF_INET6:
      let all = withBytes { Array($0[8..<24]) }
      return all.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]) ? Array(all[12...]) : all
    default: return []
    }
  }

  package var isLoopback: Bool {
    let digits = digits
    return digits.count == 4 ? digits[0] == 127 : digits == [UInt8](repeating: 0, count: 15) + [1]
  }

  package var network: SocketNetwork { SocketNetwork(prefix: Array(digits.prefix(8))) }
}

/// The part of an address that identifies one party: all of IPv4, the /64 prefix of IPv6.
package struct SocketNetwork: Hashable, Sendable {
  let prefix: [UInt8]
}

/// The 4 or 16 bytes of a numeric address; empty for any other text.
package func addressBytes(_ text: String) -> [UInt8] {
  let plain = text.prefix { $0 != "%" }
  var bytes = [UInt8](repeating: 0, count: 16)
  if inet_pton(AF_INET, String(plain), &bytes) == 1 { return Array(bytes[..<4]) }
  return inet_pton(AF_INET6, String(plain), &bytes) == 1 ? bytes : []
}
