import HoldfastMediaModel

/// Counts occasions by key, such as an address, and limits them: each key has a number of them at once, and
/// regains one after each interval. The keys that were used least recently are forgotten first.
struct RateLimit<Key: Hashable & Sendable>: Sendable {
  private struct Bucket {
    /// When all occasions are available again.
    var fullAt: MonotonicTime
    /// The sequence number of the last use.
    var lastUse: Int
  }

  let refill: MediaTime
  private let fullRefill: MediaTime
  private var buckets: [Key: Bucket] = [:]
  private(set) var count = 0

  static var capacity: Int { 4096 }

  init(burst: Int64, refill: MediaTime) {
    self.refill = refill
    fullRefill = MediaTime(nanoseconds: refill.nanoseconds * burst)
  }

  var remembered: Int { buckets.count }

  mutating func record(_ key: Key, at now: MonotonicTime) {
    count += 1
    let begin = max(now, buckets[key]?.fullAt ?? now)
    if buckets[key] == nil, buckets.count >= Self.capacity { forgetOldest() }
    buckets[key] = Bucket(fullAt: min(begin + refill, now + fullRefill), lastUse: count)
  }

  /// The wait until the next occasion; nil if one is available.
  func retryAfter(_ key: Key, at now: MonotonicTime) -> MediaTime? {
    guard let bucket = buckets[key] else { return nil }
    let wait = bucket.fullAt - now - fullRefill + refill
    return wait > .zero ? wait : nil
  }

  private mutating func forgetOldest() {
    guard let oldest = buckets.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
    buckets[oldest.key] = nil
  }
}
