import HoldfastMediaModel
package import HoldfastPlatform

/// Limits failed attempts per address, against guessing. Each address has ten attempts and regains one every
/// six seconds. A success restores none: the holder of one token must not guess another.
package typealias FailedAttempts = RateLimit<AttemptOrigin>

extension FailedAttempts {
  package static var burst: Int64 { 10 }

  package init() { self.init(burst: Self.burst, refill: .seconds(6)) }
}

/// The origin of an attempt, as far as origins are distinguished.
package enum AttemptOrigin: Hashable, Sendable {
  case local
  case ipv4(UInt32)
  /// The first 64 bits, which belong to one customer.
  case ipv6(network: UInt64)

  /// From 4 or 16 address bytes; IPv4-mapped IPv6 counts as IPv4.
  package init?(address: [UInt8]) {
    func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    let isMapped = address.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
    switch address.count {
    case 4: self = .ipv4(UInt32(number(address[...])))
    case 16 where isMapped: self = .ipv4(UInt32(number(address.suffix(4))))
    case 16: self = .ipv6(network: number(address.prefix(8)))
    default: return nil
    }
  }
}
