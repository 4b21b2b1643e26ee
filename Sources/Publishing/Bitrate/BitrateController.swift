package import HoldfastMediaModel

/// Finds the bitrate that one output's network can carry: down at once when packets pile up, up again by small steps.
package struct BitrateController: Hashable, Sendable {
  package struct Limits: Hashable, Sendable {
    package var lowest: Int
    package var highest: Int

    package init(lowest: Int, highest: Int) {
      self.lowest = min(lowest, highest)
      self.highest = highest
    }
  }

  /// What is known of the output at one instant.
  package struct Sample: Hashable, Sendable {
    /// How much media waits to be taken by the network.
    package var waiting: MediaTime
    /// Bits per second that the network has taken lately; nil where nobody knows.
    package var throughput: Double?
    package var isStalled = false
    /// The share of packets that were lost on the way; nil where the transport does not tell.
    package var lossRate: Double?
  }

  package private(set) var bitrate: Int
  private var limits: Limits
  private var lastDown: MonotonicTime?
  private var calmSince: MonotonicTime?

  /// More than this waiting is too much.
  static let tooMuchWaiting = MediaTime.milliseconds(200)
  static let tooMuchLoss = 0.1
  /// A change takes this long to show.
  static let pauseAfterDown = MediaTime.seconds(1)
  static let calmBeforeUp = MediaTime.seconds(4)

  package init(_ limits: Limits) {
    self.limits = limits
    bitrate = limits.highest
  }

  /// Begins anew for another connection.
  mutating func restart() { self = BitrateController(limits) }

  /// The new rate, where it changes.
  package mutating func adapt(to sample: Sample, at now: MonotonicTime) -> Int? {
    let isCongested =
      sample.isStalled || sample.waiting > Self.tooMuchWaiting || (sample.lossRate ?? 0) > Self.tooMuchLoss
    return isCongested ? lower(sample, now) : raise(now)
  }

  /// Other limits from now on; the new rate, where it changes. At the highest it stays at the highest.
  package mutating func limit(to limits: Limits) -> Int? {
    let bitrate = self.bitrate == self.limits.highest ? limits.highest : self.bitrate
    self.limits = limits
    return change(to: Double(bitrate))
  }

  private mutating func lower(_ sample: Sample, _ now: MonotonicTime) -> Int? {
    calmSince = nil
    if let lastDown, now - lastDown < Self.pauseAfterDown { return nil }
    lastDown = now
    // A share of what went through leaves room for what has piled up.
    let carried = sample.throughput.map { $0 * 0.85 } ?? .infinity
    return change(to: min(Double(bitrate) * 0.75, carried))
  }

  private mutating func raise(_ now: MonotonicTime) -> Int? {
    let since = calmSince ?? now
    calmSince = since
    guard now - since >= Self.calmBeforeUp else { return nil }
    calmSince = now
    return change(to: Double(bitrate) * 1.1)
  }

  private mutating func change(to requested: Double) -> Int? {
    let next = Int(max(Double(limits.lowest), min(Double(limits.highest), requested)))
    guard next != bitrate else { return nil }
    bitrate = next
    return next
  }
}
