package import HoldfastMediaModel

/// How often each address has sent what is no token, so that nobody can go on guessing.
///
/// Each address has ten attempts, and gets one back every six seconds. A success gives none back: whoever has a token
/// of their own may not guess another one's with it.
package struct FailedAttempts: Sendable {
  /// Where an attempt came from, as far as it is told apart.
  package enum Origin: Hashable, Sendable {
    /// The unix socket.
    case local
    case ipv4(UInt32)
    /// The first 64 bits, which one customer has to himself.
    case ipv6(network: UInt64)

    /// From the 4 or 16 bytes of an address; an IPv4 address within IPv6 is IPv4.
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

  private struct Bucket {
    /// When all attempts are there again.
    var fullAt: MonotonicTime
    /// The number of the failure that was its last.
    var lastUse: Int
  }

  package static let burst: Int64 = 10
  package static let refill = MediaTime.seconds(6)
  package static let capacity = 4096
  private static let longest = MediaTime(nanoseconds: refill.nanoseconds * burst)

  private var buckets: [Origin: Bucket] = [:]
  /// All failures that there were.
  package private(set) var count = 0

  package init() {}

  /// How many addresses are remembered.
  package var remembered: Int { buckets.count }

  package mutating func record(_ origin: Origin, at now: MonotonicTime) {
    count += 1
    let begin = max(now, buckets[origin]?.fullAt ?? now)
    if buckets[origin] == nil, buckets.count >= Self.capacity { forgetOldest() }
    buckets[origin] = Bucket(fullAt: min(begin + Self.refill, now + Self.longest), lastUse: count)
  }

  /// How long to wait until the next attempt; nil where one is left.
  package func retryAfter(_ origin: Origin, at now: MonotonicTime) -> MediaTime? {
    guard let bucket = buckets[origin] else { return nil }
    let wait = bucket.fullAt - now - Self.longest + Self.refill
    return wait > .zero ? wait : nil
  }

  private mutating func forgetOldest() {
    guard let oldest = buckets.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
    buckets[oldest.key] = nil
  }
}
