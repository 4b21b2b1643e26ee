package import HoldfastMediaModel

extension SessionTimer {
  package struct Settings: Hashable, Sendable {
    /// How long a session may last; nil for as long as it likes.
    package var maxDuration: MediaTime?
    /// How long it may last with all that it is extended by; nil for any time.
    package var maxTotal: MediaTime?
    /// So long before the end it is said that it comes, and from then on each second.
    package var alertBefore = MediaTime.seconds(60)
    /// The time goes on while a broadcast is interrupted.
    package var countsInterruptions = true

    package init() {}
  }

  package enum Event: Hashable, Sendable {
    case wentLive
    case interrupted
    case resumed
    /// Due when `nextCheck` says so, and harmless at any other time.
    case timePassed
    /// The session of a process that came to a sudden end goes on.
    case resumedAfterCrash(Left)
    case sessionEnded
  }

  /// What is left of the session of another process. All lengths are up to now.
  package struct Left: Hashable, Sendable {
    package var elapsed: MediaTime
    /// What of that does not count, but for the time that it has been away.
    package var uncounted: MediaTime
    /// For how long nothing has been broadcast.
    package var away: MediaTime
    /// Nil for as long as is configured.
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
    case report(News)
    /// What is needed to go on with it after a crash has changed.
    case keep
    case end
  }

  /// What is reported of it. The raw values stand in event lines, a stable interface.
  package enum News: String, Hashable, Sendable, CaseIterable {
    case running, extended, alert, countdown, paused, over
  }

  package enum Verdict: Hashable, Sendable {
    case extended
    case repeated
    case refused(Refusal)
  }

  /// Why it is not extended; nothing has changed then.
  package enum Refusal: Hashable, Sendable {
    case noLimit
    /// It may be extended by `left` at the most.
    case limitReached(left: MediaTime)
    case isOver
    case notATime
    /// Another time was asked for with this request before.
    case requestUsed
    case tooManyRequests
  }

  /// How it is, as status writes it. The raw values are a stable interface.
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
