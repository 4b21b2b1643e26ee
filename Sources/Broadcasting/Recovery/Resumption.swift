package import HoldfastLifecycle
package import HoldfastMediaModel
package import HoldfastRecording

/// What a broadcaster needs to resume a broadcast that a crash interrupted.
package struct Resumption: Sendable {
  package let id: String
  /// The remaining resume window; the full window if it has passed, for `--after-crash resume`.
  package let windowLeft: MediaTime
  /// The elapsed session; nil if the clock went back.
  package let session: SessionTimer.ResumedSession?

  package init(
    _ broadcast: UnfinishedBroadcast, recordedUntil mediaEnd: MediaTime, window: MediaTime,
    at now: JournalInstant
  ) {
    id = broadcast.id
    let sign = (broadcast.interruption?.from ?? broadcast.lastSign).elapsed(until: now)
    windowLeft = sign.flatMap { $0 < window ? window - $0 : nil } ?? window
    let since = broadcast.interruption?.from ?? broadcast.instant(of: mediaEnd)
    let away = since.elapsed(until: now) ?? .zero
    if let journaled = broadcast.session, let known = broadcast.sessionInstant {
      session = SessionTimer.ResumedSession(
        elapsed: journaled.elapsed + (known.elapsed(until: now) ?? .zero), uncounted: journaled.uncounted,
        away: away, length: journaled.length, requests: journaled.requests)
    } else {
      session = broadcast.live?.elapsed(until: now).map { .init(elapsed: $0, away: away) }
    }
  }
}
