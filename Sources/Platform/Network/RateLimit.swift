package import HoldfastMediaModel

/// Counts occasions by key, such as an address, and limits them: each key has a number of them at once, and
/// regains one after each interval. The keys that were used least recently are forgotten first.
package struct RateLimit<Key: Hashable & Sendable>: Sendable {
  private struct Bucket {
    /// When all occasions are available again.
    var fullAt: MonotonicTime
    /// The sequence number of the last use.
    var lastUse: Int
  }

  private let refill: MediaTime
  private let fullRefill: MediaTime
  private var buckets: [Key: Bucket] = [:]
  /// In their order; one that a later use of its key has outdated counts no longer.
  private var uses: [(key: Key, number: Int)] = []
  private var firstUse = 0
  package private(set) var count = 0

  package static var capacity: Int { 4096 }

  package init(burst: Int64, refill: MediaTime) {
    self.refill = refill
    fullRefill = MediaTime(nanoseconds: refill.nanoseconds * burst)
  }

  package var remembered: Int { buckets.count }

  package mutating func record(_ key: Key, at now: MonotonicTime) {
    count += 1
    let begin = max(now, buckets[key]?.fullAt ?? now)
    if buckets[key] == nil, buckets.count >= Self.capacity { forgetOldest() }
    buckets[key] = Bucket(fullAt: min(begin + refill, now + fullRefill), lastUse: count)
    if uses.count >= 4 * Self.capacity { dropOutdated() }
    uses.append((key, count))
  }

  /// The wait until the next occasion; nil if one is available.
  package func retryAfter(_ key: Key, at now: MonotonicTime) -> MediaTime? {
    guard let bucket = buckets[key] else { return nil }
    let wait = bucket.fullAt - now - fullRefill + refill
    return wait > .zero ? wait : nil
  }

  private mutating func forgetOldest() {
    while firstUse < uses.count {
      let use = uses[firstUse]
      firstUse += 1
      guard isLast(use) else { continue }
      buckets[use.key] = nil
      return
    }
  }

  private mutating func dropOutdated() {
    uses = uses[firstUse...].filter(isLast)
    firstUse = 0
  }

  private func isLast(_ use: (key: Key, number: Int)) -> Bool { buckets[use.key]?.lastUse == use.number }
}
