package import HoldfastMediaModel

/// Limits the duration of a session of one or more broadcasts, from when the first goes live. A value without
/// a clock: times are since boot, including sleep, and can't be set.
package struct SessionTimer: Machine, Hashable {
  package enum Phase: Hashable, Sendable {
    case waiting
    case running(Run)
    case over(Run)
  }

  /// A session that is, or was, live.
  package struct Run: Hashable, Sendable {
    package let startedAt: MediaTime
    package var uncounted = MediaTime.zero
    /// Start of the current time that does not count.
    package var pausedSince: MediaTime?
    /// Remaining whole seconds in the last report; nil before the alert.
    package internal(set) var reported: Int64?

    package init(startedAt: MediaTime, reported: Int64? = nil) {
      self.startedAt = startedAt
      self.reported = reported
    }

    func counted(until now: MediaTime) -> MediaTime {
      max(.zero, (pausedSince ?? now) - startedAt - uncounted)
    }
  }

  package let settings: Settings
  package private(set) var phase = Phase.waiting
  /// The duration limit including extensions; nil for no limit.
  package private(set) var length: MediaTime?
  /// The extension of each request, so that a repeat has no effect.
  package private(set) var requests: [String: MediaTime] = [:]

  /// A bound for extensions, so that sums of times can't overflow.
  package static let longest = MediaTime.seconds(366 * 86_400)
  /// Further requests are refused, as they could not be remembered.
  package static let maxRequests = 1000

  package init(_ settings: Settings = Settings()) {
    self.settings = settings
    length = settings.maxDuration
  }

  /// The timer that another one was, by the same clock.
  package init(_ settings: Settings, phase: Phase, length: MediaTime?, requests: [String: MediaTime]) {
    self.settings = settings
    self.phase = phase
    self.length = length
    self.requests = requests
  }

  package mutating func handle(_ event: Event, at now: MediaTime) -> [Action] {
    switch event {
    case .wentLive: start(now)
    case .interrupted: pause(now)
    case .resumed: resume(now)
    case .timePassed: check(now)
    case .resumedAfterCrash(let session): resumeAfterCrash(session, now)
    case .sessionEnded: end()
    }
  }

  private var run: Run? {
    switch phase {
    case .waiting: nil
    case .running(let run), .over(let run): run
    }
  }

  package var startedAt: MediaTime? { run?.startedAt }
  /// Time that did not count, without the current pause.
  package var uncounted: MediaTime { run?.uncounted ?? .zero }

  /// The remaining time at `now`; nil without a limit.
  package func left(at now: MediaTime) -> MediaTime? {
    guard let length else { return nil }
    return switch phase {
    case .waiting: length
    case .running(let run): max(.zero, length - run.counted(until: now))
    case .over: .zero
    }
  }

  /// When the session ends or ended; nil while that is unknown.
  package func end(at now: MediaTime) -> MediaTime? {
    switch phase {
    case .waiting: nil
    case .running(let run): run.pausedSince == nil ? left(at: now).map { now + $0 } : nil
    case .over(let run): length.map { run.startedAt + run.uncounted + $0 }
    }
  }

  package func nextCheck(after now: MediaTime) -> MediaTime? {
    guard case .running(let run) = phase, let end = end(at: now) else { return nil }
    // One second after the last report.
    return run.reported.map { end - .seconds(max(0, $0 - 1)) } ?? max(now, end - settings.alertBefore)
  }
}

// MARK: - Events

extension SessionTimer {
  private mutating func start(_ now: MediaTime) -> [Action] {
    switch phase {
    case .waiting:
      phase = .running(Run(startedAt: now))
      return length == nil ? [] : [.keep, .report(.running)] + check(now)
    case .running: return (length == nil ? [] : [.keep]) + resume(now)
    // A broadcast after the end begins a new session.
    case .over: return end() + start(now)
    }
  }

  private mutating func pause(_ now: MediaTime) -> [Action] {
    guard !settings.countsInterruptions, length != nil, case .running(var run) = phase, run.pausedSince == nil
    else { return [] }
    run.pausedSince = now
    phase = .running(run)
    return [.keep, .report(.paused)]
  }

  private mutating func resume(_ now: MediaTime) -> [Action] {
    guard case .running(var run) = phase, let since = run.pausedSince else { return [] }
    run.uncounted += max(.zero, now - since)
    run.pausedSince = nil
    run.reported = nil
    phase = .running(run)
    return [.keep, .report(.running)] + check(now)
  }

  private mutating func check(_ now: MediaTime) -> [Action] {
    guard case .running(var run) = phase, run.pausedSince == nil, let left = left(at: now) else { return [] }
    guard left > .zero else {
      phase = .over(run)
      return [.keep, .report(.over), .end]
    }
    guard left <= settings.alertBefore else { return [] }
    let seconds = left.wholeSeconds
    guard run.reported.map({ seconds < $0 }) ?? true else { return [] }
    let isFirst = run.reported == nil
    run.reported = seconds
    phase = .running(run)
    return [.report(isFirst ? .alert : .countdown)]
  }

  private mutating func resumeAfterCrash(_ session: ResumedSession, _ now: MediaTime) -> [Action] {
    var run = Run(startedAt: now - min(session.elapsed, Self.longest))
    run.uncounted = min(session.uncounted, Self.longest)
    if !settings.countsInterruptions { run.pausedSince = now - min(session.away, Self.longest) }
    if let known = session.length { length = min(known, Self.longest) }
    requests = session.requests
    phase = .running(run)
    guard length != nil else { return [] }
    return [.keep, .report(run.pausedSince == nil ? .running : .paused)] + check(now)
  }

  private mutating func end() -> [Action] {
    guard phase != .waiting else { return [] }
    phase = .waiting
    length = settings.maxDuration
    requests = [:]
    return []
  }
}

// MARK: - Extensions

extension SessionTimer {
  /// Extends the session by `more`. A repeated `request` has no effect.
  package mutating func extend(by more: MediaTime, request: String, at now: MediaTime) -> (
    ExtensionResult, [Action]
  ) {
    if let asked = requests[request] { return (asked == more ? .repeated : .refused(.requestUsed), []) }
    guard let length else { return (.refused(.noLimit), []) }
    if case .over = phase { return (.refused(.isOver), []) }
    // The time may be up before `timePassed` arrives.
    guard left(at: now) != .zero else { return (.refused(.isOver), []) }
    guard more > .zero, more <= Self.longest else { return (.refused(.wrongLength), []) }
    guard requests.count < Self.maxRequests else { return (.refused(.tooManyRequests), []) }
    let most = settings.maxTotal ?? Self.longest
    guard length + more <= most else { return (.refused(.limitReached(left: max(.zero, most - length))), []) }
    self.length = length + more
    requests[request] = more
    guard case .running(var run) = phase else { return (.extended, [.report(.extended)]) }
    // The alert is repeated if more than `alertBefore` is left.
    if run.reported != nil, left(at: now).map({ $0 > settings.alertBefore }) ?? false { run.reported = nil }
    if let reported = run.reported { run.reported = max(reported, (left(at: now) ?? .zero).wholeSeconds) }
    phase = .running(run)
    return (.extended, [.keep, .report(.extended)])
  }

  /// Replaces the limit, extensions included; nil lifts it. Returns why it is refused, or nil.
  package mutating func limit(to length: MediaTime?, at now: MediaTime) -> (Refusal?, [Action]) {
    if case .over = phase { return (.isOver, []) }
    // The time may be up before `timePassed` arrives.
    guard left(at: now) != .zero else { return (.isOver, []) }
    let most = min(settings.maxTotal ?? Self.longest, Self.longest)
    if let length {
      guard length > .zero, length > run?.counted(until: now) ?? .zero else { return (.wrongLength, []) }
      guard length <= most else { return (.limitReached(left: most), []) }
    }
    guard length != self.length else { return (nil, []) }
    self.length = length
    guard case .running(var run) = phase else { return (nil, [.keep]) }
    run.reported = nil
    phase = .running(run)
    return (nil, [.keep] + check(now))
  }
}
