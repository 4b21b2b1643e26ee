package import HoldfastMediaModel

/// Adapts the bitrate to one output's network: decreases it at once when packets queue up, increases it
/// slowly.
package struct BitrateController: Hashable, Sendable {
  package struct Limits: Hashable, Sendable {
    package var lowest: Int
    package var highest: Int

    package init(lowest: Int, highest: Int) {
      self.lowest = min(lowest, highest)
      self.highest = highest
    }
  }

  /// Measurements of the output at one instant.
  package struct Sample: Hashable, Sendable {
    /// Media that the network has not taken.
    package var queued: MediaTime
    /// Bits per second taken by the network recently; nil if unknown.
    package var throughput: Double?
    package var isStalled = false
    /// The share of packets lost on the way; nil if the transport does not report it.
    package var lossRate: Double?
  }

  package private(set) var bitrate: Int
  private var limits: Limits
  private var lastDecrease: MonotonicTime?
  private var uncongestedSince: MonotonicTime?

  static let maxQueued = MediaTime.milliseconds(200)
  static let maxLossRate = 0.1
  /// Time until a decrease shows an effect.
  static let delayAfterDecrease = MediaTime.seconds(1)
  static let delayBeforeIncrease = MediaTime.seconds(4)

  package init(_ limits: Limits) {
    self.limits = limits
    bitrate = limits.highest
  }

  mutating func restart() { self = BitrateController(limits) }

  /// The new bitrate; nil if it does not change.
  package mutating func adapt(to sample: Sample, at now: MonotonicTime) -> Int? {
    let isCongested =
      sample.isStalled || sample.queued > Self.maxQueued || (sample.lossRate ?? 0) > Self.maxLossRate
    return isCongested ? lower(sample, now) : raise(now)
  }

  /// Changes the limits; returns the new bitrate if it changes. A bitrate at the old maximum moves to the new
  /// one.
  package mutating func limit(to limits: Limits) -> Int? {
    let bitrate = self.bitrate == self.limits.highest ? limits.highest : self.bitrate
    self.limits = limits
    return change(to: Double(bitrate))
  }

  private mutating func lower(_ sample: Sample, _ now: MonotonicTime) -> Int? {
    uncongestedSince = nil
    if let lastDecrease, now - lastDecrease < Self.delayAfterDecrease { return nil }
    lastDecrease = now
    // Less than the throughput, so that the queue can drain.
    let carried = sample.throughput.map { $0 * 0.85 } ?? .infinity
    return change(to: min(Double(bitrate) * 0.75, carried))
  }

  private mutating func raise(_ now: MonotonicTime) -> Int? {
    let since = uncongestedSince ?? now
    uncongestedSince = since
    guard now - since >= Self.delayBeforeIncrease else { return nil }
    uncongestedSince = now
    return change(to: Double(bitrate) * 1.1)
  }

  private mutating func change(to requested: Double) -> Int? {
    let next = Int(max(Double(limits.lowest), min(Double(limits.highest), requested)))
    guard next != bitrate else { return nil }
    bitrate = next
    return next
  }
}
