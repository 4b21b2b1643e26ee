package import HoldfastMediaModel

/// Adapts the bitrate to one output's network: decreases it at once when packets queue up, returns quickly to
/// the rate that the network carried before, and goes slowly beyond that.
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
    /// Bytes given to the connection that the network has not taken.
    package var unsentBytes = 0
    /// Bits per second taken by the network recently; nil if unknown.
    package var throughput: Double?
    package var isStalled = false
    /// The share of packets lost on the way; nil if the transport does not report it.
    package var lossRate: Double?
  }

  /// The return from a lower bitrate, in equal steps.
  private struct Recovery: Hashable, Sendable {
    let step: Int
    var nextStep: MonotonicTime
  }

  package private(set) var bitrate: Int
  private var limits: Limits
  /// The last bitrate that the network carried for `delayBeforeIncrease`.
  private var held: Int
  /// When the network last failed to carry `held`; nil once it carries it again.
  private var weakSince: MonotonicTime?
  private var recovery: Recovery?
  private var lastDecrease: MonotonicTime?
  private var uncongestedSince: MonotonicTime?

  static let maxQueued = MediaTime.milliseconds(200)
  static let maxLossRate = 0.1
  /// Time until a decrease shows an effect.
  static let delayAfterDecrease = MediaTime.seconds(1)
  static let delayBeforeIncrease = MediaTime.seconds(4)
  /// With `delayBeforeIncrease` and `delayAfterDecrease`, `held` is reached within 15 s.
  private static let recoverySteps = 8
  private static let delayBetweenSteps = MediaTime.seconds(1)
  /// A network that has been weak for longer is taken as it is.
  private static let memory = MediaTime.seconds(120)
  /// An increase waits while the connection holds more than this of a second's bytes: it delays the queue's
  /// growth, which comes too late to stop a quick recovery.
  private static let maxUnsent = 0.1

  package init(_ limits: Limits) {
    self.limits = limits
    (bitrate, held) = (limits.highest, limits.highest)
  }

  mutating func restart() { self = BitrateController(limits) }

  /// The new bitrate; nil if it does not change.
  package mutating func adapt(to sample: Sample, at now: MonotonicTime) -> Int? {
    let isCongested =
      sample.isStalled || sample.queued > Self.maxQueued || (sample.lossRate ?? 0) > Self.maxLossRate
    return isCongested ? lower(sample, now) : raise(sample, now)
  }

  /// Changes the limits; returns the new bitrate if it changes. A bitrate at the old maximum moves to the new
  /// one.
  package mutating func limit(to limits: Limits) -> Int? {
    let bitrate = self.bitrate == self.limits.highest ? limits.highest : self.bitrate
    held = held == self.limits.highest ? limits.highest : min(held, limits.highest)
    (self.limits, recovery) = (limits, nil)
    return change(to: Double(bitrate))
  }

  private mutating func lower(_ sample: Sample, _ now: MonotonicTime) -> Int? {
    (uncongestedSince, recovery) = (nil, nil)
    weakSince = weakSince ?? now
    if let lastDecrease, now - lastDecrease < Self.delayAfterDecrease { return nil }
    lastDecrease = now
    // Less than the throughput, so that the queue can drain.
    let carried = sample.throughput.map { $0 * 0.85 } ?? .infinity
    return change(to: min(Double(bitrate) * 0.75, carried))
  }

  private mutating func raise(_ sample: Sample, _ now: MonotonicTime) -> Int? {
    let since = uncongestedSince ?? now
    uncongestedSince = since
    guard Double(sample.unsentBytes) * 8 <= Double(bitrate) * Self.maxUnsent else { return nil }
    if let recovery { return now >= recovery.nextStep ? recover(by: recovery.step, now) : nil }
    guard now - since >= Self.delayBeforeIncrease else { return nil }
    if bitrate < held, let weakSince, now - weakSince <= Self.memory {
      return recover(by: (held - bitrate) / Self.recoverySteps + 1, now)
    }
    (held, weakSince, uncongestedSince) = (bitrate, nil, now)
    return change(to: Double(bitrate) * 1.1)
  }

  private mutating func recover(by step: Int, _ now: MonotonicTime) -> Int? {
    let next = min(held, bitrate + step)
    recovery = next < held ? Recovery(step: step, nextStep: now + Self.delayBetweenSteps) : nil
    uncongestedSince = now
    return change(to: Double(next))
  }

  private mutating func change(to requested: Double) -> Int? {
    let next = Int(max(Double(limits.lowest), min(Double(limits.highest), requested)))
    guard next != bitrate else { return nil }
    bitrate = next
    return next
  }
}

/// Whether an output may lower the bitrate of the encoder for its network.
package enum BitrateAdaptation: String, Hashable, Sendable, CaseIterable {
  /// While no other output gets the encoder's packets.
  case automatic = "auto"
  /// Also for the other outputs.
  case always = "true"
  case never = "false"
}
