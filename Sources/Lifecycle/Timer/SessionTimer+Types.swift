package import HoldfastMediaModel

extension SessionTimer {
  package struct Settings: Hashable, Sendable {
    /// Maximum duration of a session; nil for no limit.
    package var maxDuration: MediaTime?
    /// Maximum duration including extensions; nil for no limit.
    package var maxTotal: MediaTime?
    /// How long before the end the alert comes, followed by a report each second.
    package var alertBefore = MediaTime.seconds(60)
    /// Whether time counts while a broadcast is interrupted.
    package var countsInterruptions = true

    package init() {}
  }

  package enum Event: Hashable, Sendable {
    case wentLive
    case interrupted
    case resumed
    /// Sent at `nextCheck`; harmless at any other time.
    case timePassed
    /// The session of a crashed process resumes.
    case resumedAfterCrash(ResumedSession)
    case sessionEnded
  }

  /// The state of another process's session; all durations are up to now.
  package struct ResumedSession: Hashable, Sendable {
    package var elapsed: MediaTime
    /// The part of `elapsed` that does not count, without `away`.
    package var uncounted: MediaTime
    /// How long nothing has been broadcast.
    package var away: MediaTime
    /// Nil for the configured maximum.
    package var length: MediaTime?
    package var requests: [String: MediaTime]

    package init(
      elapsed: MediaTime, uncounted: MediaTime = .zero, away: MediaTime = .zero, length: MediaTime? = nil,
      requests: [String: MediaTime] = [:]
    ) {
      self.elapsed = elapsed
      self.uncounted = uncounted
      self.away = away
      self.length = length
      self.requests = requests
    }
  }

  package enum Action: Hashable, Sendable {
    case report(Report)
    /// The state needed to resume after a crash has changed.
    case keep
    case end
  }

  /// A report. The raw values appear in event lines, a stable interface.
  package enum Report: String, Hashable, Sendable, CaseIterable {
    case running, extended, alert, countdown, paused, over
  }

  package enum ExtensionResult: Hashable, Sendable {
    case extended
    case repeated
    case refused(Refusal)
  }

  /// Why an extension is refused; nothing has changed.
  package enum Refusal: Hashable, Sendable {
    case noLimit
    /// It may be extended by at most `left`.
    case limitReached(left: MediaTime)
    case isOver
    case wrongLength
    /// The same request was used before for another time.
    case requestUsed
    case tooManyRequests
  }

  /// The state in status responses. The raw values are a stable interface.
  package enum State: String, Hashable, Sendable, CaseIterable {
    case off
    case waiting, running, alert, paused, over
  }

  package func state(at now: MediaTime) -> State {
    guard length != nil else { return .off }
    return switch phase {
    case .waiting: .waiting
    case .over: .over
    case .running(let run) where run.pausedSince != nil: .paused
    case .running: (left(at: now) ?? .zero) <= settings.alertBefore ? .alert : .running
    }
  }
}
