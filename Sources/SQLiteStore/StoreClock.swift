import HoldfastMediaModel

/// The store's clock: the wall clock, but it never goes back.
///
/// Where the wall clock is set back, the store's goes on at the pace of the time since boot, so that leases and limits
/// still run out; it stays ahead by what was set back until the store is not open for that long. Where the wall clock is
/// set forward, the store's follows: limits of time are nearer at once, and answers forgotten earlier. Nobody expires by
/// that, as hubs count only contact in which the store's clock moved as their own did.
struct StoreClock {
  private var last: WallTime
  private var sinceBoot: MediaTime

  /// Goes on from the last instant of an earlier process.
  init(after last: WallTime, at reading: Instant) {
    self.last = last
    sinceBoot = reading.sinceBoot
  }

  /// Readings may come in another order than they were taken in.
  mutating func advance(to reading: Instant) -> WallTime {
    if reading.sinceBoot > sinceBoot {
      last = last + (reading.sinceBoot - sinceBoot)
      sinceBoot = reading.sinceBoot
    }
    last = max(last, reading.wall)
    return last
  }
}
