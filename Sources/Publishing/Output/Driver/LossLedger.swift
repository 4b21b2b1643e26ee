import HoldfastMediaModel

/// Losses of an output, reported at most once a second.
struct LossLedger {
  private var pending = OutputLoss()
  /// Sent on a lost connection whose server may still confirm it.
  private var unsettled = OutputLoss()
  /// Why what is not reported yet is missing.
  var cause = Gap.Cause.network
  private var nextReport = MonotonicTime(nanoseconds: 0)
  /// Reported losses, of the longer track.
  private(set) var total = MediaTime.zero

  private static let interval = MediaTime.seconds(1)

  var due: MonotonicTime? { pending.isEmpty ? nil : nextReport }

  /// Everything that is not reported.
  var running: OutputLoss {
    var loss = pending
    loss.add(unsettled)
    loss.cause = cause
    return loss
  }

  mutating func add(_ loss: OutputLoss) { pending.add(loss) }

  mutating func leave(unsettled loss: OutputLoss) { unsettled = loss }

  /// `loss` is what remains of the unsettled losses: all of them if the server confirms nothing any more.
  mutating func settle(_ loss: OutputLoss? = nil) {
    pending.add(loss ?? unsettled)
    unsettled = OutputLoss()
  }

  mutating func take(at now: MonotonicTime) -> OutputLoss? {
    nextReport = now + Self.interval
    guard !pending.isEmpty else { return nil }
    defer { pending = OutputLoss() }
    total += max(pending.video, pending.audio)
    pending.cause = cause
    return pending
  }
}
