package import HoldfastMediaModel

/// Limits failed attempts per address, against guessing. Each address has ten attempts and regains one every
/// six seconds. A success restores none: the holder of one token must not guess another.
package struct FailedAttempts: Sendable {
  /// The origin of an attempt, as far as origins are distinguished.
  package enum Origin: Hashable, Sendable {
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

  private struct Bucket {
    /// When all attempts are available again.
    var fullAt: MonotonicTime
    /// The sequence number of the last failure.
    var lastUse: Int
  }

  package static let burst: Int64 = 10
  package static let refill = MediaTime.seconds(6)
  package static let capacity = 4096
  private static let fullRefill = MediaTime(nanoseconds: refill.nanoseconds * burst)

  private var buckets: [Origin: Bucket] = [:]
  package private(set) var count = 0

  package init() {}

  package var remembered: Int { buckets.count }

  package mutating func record(_ origin: Origin, at now: MonotonicTime) {
    count += 1
    let begin = max(now, buckets[origin]?.fullAt ?? now)
    if buckets[origin] == nil, buckets.count >= Self.capacity { forgetOldest() }
    buckets[origin] = Bucket(fullAt: min(begin + Self.refill, now + Self.fullRefill), lastUse: count)
  }

  /// The wait until the next attempt; nil if one is available.
  package func retryAfter(_ origin: Origin, at now: MonotonicTime) -> MediaTime? {
    guard let bucket = buckets[origin] else { return nil }
    let wait = bucket.fullAt - now - Self.fullRefill + Self.refill
    return wait > .zero ? wait : nil
  }

  private mutating func forgetOldest() {
    guard let oldest = buckets.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
    buckets[oldest.key] = nil
  }
}
