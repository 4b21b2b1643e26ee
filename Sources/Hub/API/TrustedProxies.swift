import HoldfastHTTP
package import HoldfastMediaModel
import HoldfastPlatform

/// The networks of proxies whose word counts for where a request comes from.
package struct TrustedProxies: Hashable, Sendable {
  /// `10.0.0.0/8`, `::1/128`, or an address alone.
  package struct Network: Hashable, Sendable {
    private let address: [UInt8]
    private let bits: Int

    package init(_ text: String) throws(InvalidValue) {
      let parts = text.split(separator: "/", omittingEmptySubsequences: false)
      let address = addressBytes(String(parts.first ?? ""))
      guard parts.count <= 2, !address.isEmpty,
        let bits = parts.count == 2 ? Int(parts[1]) : 8 * address.count,
        (0...8 * address.count).contains(bits)
      else {
        throw InvalidValue("not a network", hint: "write 10.0.0.0/8 or fd00::/8")
      }
      self.address = address
      self.bits = bits
    }

    func contains(_ other: [UInt8]) -> Bool {
      guard other.count == address.count else { return false }
      return address.indices.allSatisfy { index in
        let kept = min(8, max(0, bits - 8 * index))
        let mask = UInt8(truncatingIfNeeded: 0xFF00 >> kept)
        return address[index] & mask == other[index] & mask
      }
    }
  }

  private var networks: [Network] = []

  package init() {}

  package mutating func add(_ network: Network) { networks.append(network) }

  /// The sender; behind a trusted proxy, whom that names.
  func client(of request: HTTPRequest) -> HTTPRequest.Peer {
    guard case .remote(let address, _) = request.peer, let named = request.forwardedFor,
      !addressBytes(named).isEmpty, case let bytes = Self.unmapped(addressBytes(address)),
      networks.contains(where: { $0.contains(bytes) })
    else { return request.peer }
    return .remote(address: named, isSameUser: false)
  }

  /// An IPv4 address as it is, where a socket for both kinds shows it as one of IPv6.
  private static func unmapped(_ bytes: [UInt8]) -> [UInt8] {
    bytes.count == 16 && bytes.starts(with: mappedPrefix) ? Array(bytes[12...]) : bytes
  }

  private static let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
}
