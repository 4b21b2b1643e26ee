package import HoldfastMediaModel

/// The lifecycle of one output: when and how it connects, how long it waits, when it gives up. A value
/// without a clock, a socket or a thread. Timers are numbered; one that is no longer awaited has no effect.
package struct OutputLifecycle: Hashable, Sendable {
  package enum Event: Hashable, Sendable {
    /// Connect without publishing, until `startRequested`.
    case prepareRequested
    case startRequested
    /// The connection is made; only the publish is left.
    case prepared
    case accepted
    /// The server's program has taken media.
    case proven
    /// The server has taken more media.
    case progressed
    /// The server has made no progress for a while although it should have.
    case stalled
    case recovered
    case failed(OutputFailure)
    case timerFired(Int)
    /// A link, a route or an address has changed: an unreachable server may be reachable now.
    case networkChanged
    /// What follows needs a connection with other headers.
    case headersChanged
    /// The output is to publish at another place.
    case addressChanged
    case pauseRequested
    case resumeRequested
    case stopRequested
  }

  package enum Action: Hashable, Sendable {
    /// Answered by `prepared`.
    case prepare
    /// Publish, on the prepared connection if there is one.
    case open(PublishType)
    /// Send what is queued, within a limit, and disconnect cleanly; later actions follow once that is done.
    case close
    /// Close the useless connection immediately.
    case drop
    case setTimer(Int, after: MediaTime)
    case cancelTimer(Int)
    case report(Condition)
  }

  enum State: Hashable {
    case closed
    /// Connecting without a publish.
    case preparing
    case prepared
    case connecting
    /// The server has accepted, as some do before they refuse.
    case proving
    case publishing
    case stalled
    /// Leaving for a connection with other headers, which `resumeRequested` opens.
    case reconnecting
    case waiting(timer: Int)
    case refused
    /// Disconnected until the broadcast resumes.
    case paused(since: MonotonicTime)
  }

  private(set) var state = State.closed
  package var isClosed: Bool { state == .closed }
  package var isProving: Bool { state == .proving }
  package var isReconnecting: Bool { state == .reconnecting }
  package var awaitsProof: Bool { isProving || endProves }
  /// Once it has, a recording is continued with `append`.
  package private(set) var hasPublished: Bool
  private let publishType: PublishType
  private let policy: RetryPolicy
  private let giveUpAfter: MediaTime?
  private let acceptsRefusals: Bool
  private var history = FailureHistory()
  private var timers = 0
  /// The publish must wait.
  package private(set) var isHeld = false
  /// The connection ended before it was proven, which its orderly end may do.
  private var endProves = false

  private struct FailureHistory: Hashable {
    /// When the output last made progress, or started.
    var lastProgress: MonotonicTime?
    var failures = 0
    var disconnects = 0
    var redirections = 0
    var nameTakenSince: MonotonicTime?
  }

  /// With `record` the first publish creates a recording and later ones append to it. `hasPublished` is
  /// true if another process has already published this broadcast there. Unless the output accepts refusals, it
  /// tries on where a server refuses it.
  package init(
    publishType: PublishType = .record, hasPublished: Bool = false, policy: RetryPolicy = RetryPolicy(),
    giveUpAfter: MediaTime? = nil, acceptsRefusals: Bool = true
  ) {
    self.publishType = publishType
    self.hasPublished = hasPublished
    self.policy = policy
    self.giveUpAfter = giveUpAfter
    self.acceptsRefusals = acceptsRefusals
  }

  package mutating func handle(
    _ event: Event, at now: MonotonicTime, using randomness: inout some RandomNumberGenerator
  ) -> [Action] {
    switch event {
    case .prepareRequested: prepare(now)
    case .startRequested: start(now)
    case .prepared: prepared()
    case .accepted: accept()
    case .proven: prove(now)
    case .progressed: progress(now)
    case .stalled: stall()
    case .recovered: recover()
    case .failed(let failure): fail(failure, now, &randomness)
    case .timerFired(let timer): fire(timer)
    case .networkChanged: wake()
    case .headersChanged: reconnect()
    case .addressChanged: move(now)
    case .pauseRequested: pause(now)
    case .resumeRequested: resume(now)
    case .stopRequested: stop()
    }
  }

  private mutating func prepare(_ now: MonotonicTime) -> [Action] {
    guard state == .closed else { return [] }
    isHeld = true
    history = FailureHistory(lastProgress: now)
    return open()
  }

  private mutating func start(_ now: MonotonicTime) -> [Action] {
    let wasHeld = isHeld
    isHeld = false
    switch state {
    case .prepared:
      return open()
    case .waiting(let timer) where wasHeld:
      return [.cancelTimer(timer)] + open()
    case .closed where !wasHeld, .refused where !wasHeld:
      history = FailureHistory(lastProgress: now)
      return open()
    case .closed, .preparing, .connecting, .proving, .publishing, .stalled, .reconnecting, .waiting, .refused,
      .paused:
      return []
    }
  }

  private mutating func open() -> [Action] {
    state = isHeld ? .preparing : .connecting
    endProves = false
    let type = publishType == .record && hasPublished ? .append : publishType
    return [.report(Condition(.connecting)), isHeld ? .prepare : .open(type)]
  }

  private mutating func prepared() -> [Action] {
    guard state == .preparing else { return [] }
    state = .prepared
    return isHeld ? [] : open()
  }

  private mutating func accept() -> [Action] {
    if state == .connecting { state = .proving }
    return []
  }

  private mutating func prove(_ now: MonotonicTime) -> [Action] {
    switch state {
    case .proving: state = .publishing
    case .closed where endProves, .reconnecting where endProves, .paused where endProves: endProves = false
    case .closed, .preparing, .prepared, .connecting, .publishing, .stalled, .reconnecting, .waiting,
      .refused,
      .paused:
      return []
    }
    hasPublished = true
    history = FailureHistory(lastProgress: now)
    return [.report(Condition(.publishing))]
  }

  private mutating func progress(_ now: MonotonicTime) -> [Action] {
    if state == .publishing { history = FailureHistory(lastProgress: now) }
    return []
  }

  private mutating func stall() -> [Action] {
    guard state == .publishing else { return [] }
    state = .stalled
    return [.report(Condition(.stalled, cause: .failure(.noProgress)))]
  }

  private mutating func recover() -> [Action] {
    guard state == .stalled else { return [] }
    state = .publishing
    return [.report(Condition(.publishing))]
  }

  private mutating func fire(_ timer: Int) -> [Action] { state == .waiting(timer: timer) ? open() : [] }

  private mutating func wake() -> [Action] {
    guard case .waiting(let timer) = state else { return [] }
    return [.cancelTimer(timer)] + open()
  }

  /// One that is not publishing gets the new headers with its next attempt.
  private mutating func reconnect() -> [Action] {
    guard state == .proving || state == .publishing else { return [] }
    return leave(.headersChanged)
  }

  /// Leaves in order for another connection.
  private mutating func leave(_ cause: Cause) -> [Action] {
    endProves = state == .proving
    state = .reconnecting
    return [.close, .report(Condition(.connecting, cause: cause))]
  }

  /// What failed at the former place counts no more.
  private mutating func move(_ now: MonotonicTime) -> [Action] {
    switch state {
    case .closed, .reconnecting, .paused: return []
    case .proving, .publishing: return leave(.addressChanged)
    case .preparing, .prepared, .connecting, .stalled:
      history = FailureHistory(lastProgress: now)
      return [.drop] + open()
    case .waiting(let timer):
      history = FailureHistory(lastProgress: now)
      return [.cancelTimer(timer)] + open()
    case .refused:
      history = FailureHistory(lastProgress: now)
      return open()
    }
  }

  private mutating func stop() -> [Action] {
    let actions = disconnect()
    endProves = state == .proving || endProves
    (state, isHeld) = (.closed, false)
    return actions
  }

  private func disconnect() -> [Action] {
    switch state {
    case .closed, .paused: []
    case .preparing, .prepared, .connecting, .stalled: [.drop, .report(Condition(.closed))]
    case .proving, .publishing: [.close, .report(Condition(.closed))]
    case .waiting(let timer): [.cancelTimer(timer), .report(Condition(.closed))]
    case .reconnecting, .refused: [.report(Condition(.closed))]
    }
  }
}

// MARK: - Interruptions

extension OutputLifecycle {
  private mutating func pause(_ now: MonotonicTime) -> [Action] {
    switch state {
    // The cause of the refusal persists, so a resume does not retry.
    case .refused, .paused:
      return []
    case .closed, .preparing, .prepared, .connecting, .proving, .publishing, .stalled, .reconnecting,
      .waiting:
      let actions = disconnect()
      endProves = state == .proving || state == .reconnecting && endProves
      state = .paused(since: now)
      return actions
    }
  }

  private mutating func resume(_ now: MonotonicTime) -> [Action] {
    switch state {
    case .paused(let since):
      // A pause is not an outage.
      history.lastProgress = history.lastProgress.map { $0 + (now - since) } ?? now
      return open()
    case .reconnecting: return open()
    case .closed, .preparing, .prepared, .connecting, .proving, .publishing, .stalled, .waiting, .refused:
      return []
    }
  }
}

// MARK: - Failures

extension OutputLifecycle {
  private mutating func fail(
    _ failure: OutputFailure, _ now: MonotonicTime, _ randomness: inout some RandomNumberGenerator
  ) -> [Action] {
    switch state {
    case .preparing, .connecting, .proving, .publishing, .stalled: break
    case .closed, .prepared, .reconnecting, .waiting, .refused, .paused: return []
    }
    // Some servers accept, and then hang up on a taken name or a wrong key.
    let isTakenBack = state == .proving && failure == .closed
    let failure = isTakenBack ? hasPublished ? .nameTaken : .closedBeforeAccepted : failure
    history.failures += 1
    let outage = history.lastProgress.map { now - $0 } ?? .zero
    if let giveUpAfter, outage >= giveUpAfter { return giveUp(.gaveUp) }
    switch failure.remedy(hasPublished: hasPublished) {
    case .retry:
      history.nameTakenSince = nil
      let delay = policy.delay(afterFailures: history.failures, outage: outage, using: &randomness)
      return wait(delay, .failure(failure))
    case .retryTakenName:
      return waitForName(now, outage, &randomness)
    case .suspectRefusal:
      history.disconnects += 1
      let isSoon = history.disconnects < policy.maxSuspectAttempts
      return wait(isSoon ? policy.takenNameDelay : policy.maxDelay, .refusedOrTaken)
    case .follow:
      history.redirections += 1
      let isLost = history.redirections > policy.maxRedirections
      return wait(isLost ? policy.maxDelay : .zero, .failure(failure))
    case .giveUp where acceptsRefusals:
      return giveUp(.failure(failure))
    case .giveUp:
      return wait(policy.randomDelay(upTo: policy.maxDelay, using: &randomness), .failure(failure))
    case .end:
      state = .closed
      return [.drop, .report(Condition(.closed))]
    }
  }

  private mutating func waitForName(
    _ now: MonotonicTime, _ outage: MediaTime, _ randomness: inout some RandomNumberGenerator
  ) -> [Action] {
    let since = history.nameTakenSince ?? now
    history.nameTakenSince = since
    let delay =
      now - since < policy.takenNamePeriod
      ? policy.takenNameDelay
      : policy.delay(afterFailures: history.failures, outage: outage, using: &randomness)
    return wait(delay, .failure(.nameTaken))
  }

  private mutating func wait(_ delay: MediaTime, _ cause: Cause) -> [Action] {
    timers += 1
    state = .waiting(timer: timers)
    return [
      .drop, .report(Condition(.waiting, cause: cause, retryIn: delay)), .setTimer(timers, after: delay),
    ]
  }

  private mutating func giveUp(_ cause: Cause) -> [Action] {
    state = .refused
    return [.drop, .report(Condition(.refused, cause: cause))]
  }
}
