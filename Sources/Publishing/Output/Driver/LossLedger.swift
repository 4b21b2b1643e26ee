import HoldfastMediaModel

/// Losses of an output, reported at most once a second.
struct LossLedger {
  private(set) var pending = OutputLoss()
  private var nextReport = MonotonicTime(nanoseconds: 0)
  /// Reported losses, of the longer track.
  private(set) var total = MediaTime.zero

  private static let interval = MediaTime.seconds(1)

  var due: MonotonicTime? { pending.isEmpty ? nil : nextReport }

  mutating func add(_ loss: OutputLoss) {
    pending.add(loss)
  }

  mutating func take(at now: MonotonicTime) -> OutputLoss? {
    nextReport = now + Self.interval
    guard !pending.isEmpty else { return nil }
    defer { pending = OutputLoss() }
    total += max(pending.video, pending.audio)
    return pending
  }
}
