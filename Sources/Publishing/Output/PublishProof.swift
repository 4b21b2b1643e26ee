import HoldfastMediaModel

/// Whether a server that has accepted a publish has also taken media: a value, fed with a sink's health.
///
/// Some servers accept a taken name or a wrong key, and hang up later.
struct PublishProof {
  private var mediaSentAt: MonotonicTime?
  /// Since when the transport has taken what was sent, without a standstill.
  private var flowsSince: MonotonicTime?
  private(set) var isGiven = false

  mutating func mediaSent(at now: MonotonicTime) {
    mediaSentAt = mediaSentAt ?? now
    flowsSince = flowsSince ?? now
  }

  mutating func check(_ health: SinkHealth, at now: MonotonicTime) {
    guard !isGiven, let mediaSentAt, let flowsSince else { return }
    if health.isWaitingForPeer, now - health.lastProgress >= StallDetector.threshold {
      self.flowsSince = now
    } else {
      isGiven = health.confirmedUntil >= mediaSentAt && now - flowsSince >= health.provingTime
    }
  }
}
