import HoldfastLifecycle
package import HoldfastMediaModel
package import HoldfastPlatform

/// Carries out what an output's machine decides, on one connection after the other.
package struct OutputDriver<Environment: OutputEnvironment>: Driver {
  /// What there is of a connection, by its number.
  private enum Link {
    /// Nothing can be announced to a server before all tracks have said what they are.
    case awaitingTracks
    case none
    case connecting(Int)
    /// Another connection is made with this publish type where the session is gone.
    case resuming(Int, PublishType)
    case open(Int, hasSentMedia: Bool)
    case suspended(Int)
    case leaving(Int)
    case ending(Int)
    case ended

    var isAttempt: Bool {
      switch self {
      case .connecting, .resuming: true
      case .awaitingTracks, .none, .open, .suspended, .leaving, .ending, .ended: false
      }
    }

    var isLeaving: Bool {
      switch self {
      case .leaving, .ending, .ended: true
      case .awaitingTracks, .none, .connecting, .resuming, .open, .suspended: false
      }
    }
  }

  private enum Goal {
    case publishing, paused, stopped
  }

  private let settings: Output.Settings
  private let expected: Set<TrackKind>
  private var environment: Environment
  private var machine: OutputLifecycle
  private var randomness: any RandomNumberGenerator
  private var link = Link.awaitingTracks
  private var connections = 0
  private var timers = Timers()
  /// What is to be done once a connection has gone.
  private var held: [OutputLifecycle.Action] = []
  private var goal = Goal.publishing
  private var hasNetworkChanged = false
  private var isDecided = false
  private var tracks: [TrackKind: Track] = [:]
  /// Where a server has sent us.
  private var movedTo: OutputAddress?
  private var why: String?
  private var losses = LossLedger()
  /// How far one track has lagged behind the other.
  private var lag: MediaTime
  private var bitrates: BitrateController?
  private var figures = OutputFigures()

  /// How long what is queued may take to be sent at the end.
  private static var drainTimeout: MediaTime { .milliseconds(1800) }
  /// A hole that a server's recording has at each connection, at most.
  private static var maxLag: MediaTime { .seconds(1) }
  /// What another process may have sent is not known.
  private static var unknownLag: MediaTime { .milliseconds(200) }
  /// The machine's timers count from 1.
  private static var lossTimer: Int { 0 }

  package init(
    _ settings: Output.Settings, tracks: Set<TrackKind>, _ environment: Environment,
    randomness: any RandomNumberGenerator = SystemRandomNumberGenerator()
  ) {
    self.settings = settings
    expected = tracks
    self.environment = environment
    self.randomness = randomness
    machine = OutputLifecycle(
      publishType: settings.publishType, hasBeenAccepted: settings.hasBeenAccepted,
      giveUpAfter: settings.giveUpAfter)
    lag = settings.hasBeenAccepted ? Self.unknownLag : .zero
    bitrates = settings.bitrates.map { BitrateController($0) }
  }

  package var isFinished: Bool { if case .ended = link { true } else { false } }
  package var nextDeadline: MonotonicTime? { timers.next }

  package mutating func wait(
    for inbox: Inbox<OutputMessage>, until deadline: MonotonicTime?
  ) -> OutputMessage? {
    environment.wait(for: inbox, until: deadline)
  }

  package mutating func fireTimers(at now: Instant) {
    while let number = timers.takeDue(at: now.monotonic) {
      if number == Self.lossTimer {
        reportLosses(now.monotonic)
      } else {
        step(.timerFired(number), now.monotonic)
      }
    }
  }

  package mutating func handle(_ message: OutputMessage, at now: Instant) {
    let now = now.monotonic
    switch message {
    case .track(let track): tracks[track.kind] = track
    case .pause: aim(at: .paused)
    case .resume: aim(at: .publishing)
    case .stop: aim(at: .stopped)
    case .networkChanged: hasNetworkChanged = true
    case .limit(let limits): limit(limits)
    case .send(let event): if case .open = link { environment.send(event) }
    case .connected(let number): connected(number, now)
    case .failed(let number, let error): failed(number, error, now)
    case .mediaSent(let number, let lost): mediaSent(number, lost, now)
    case .exchanged(let number, let reading): exchanged(number, reading, now)
    case .suspended(let number, let lost, let lag):
      if case .leaving(number) = link { settle(.suspended(number), lost, lag, now) }
    case .disconnected(let number, let lost, let lag): disconnected(number, lost, lag, now)
    }
    advance(now)
  }

  private mutating func aim(at goal: Goal) {
    if self.goal != .stopped { self.goal = goal }
  }

  /// Moves towards the goal once no connection is leaving: a pause and a resume meanwhile cancel each other.
  private mutating func advance(_ now: MonotonicTime) {
    guard !link.isLeaving else { return }
    if case .awaitingTracks = link {
      guard goal == .stopped || expected.isSubset(of: tracks.keys) else { return }
      link = .none
      step(.startRequested, now)
    }
    switch goal {
    case .publishing:
      if step(.resumeRequested, now) { isDecided = false }
      // An attempt may have been ended for a pause that was taken back.
      if machine.isClosed, step(.startRequested, now) { isDecided = false }
    case .paused: step(.pauseRequested, now)
    case .stopped: stop(now)
    }
    // What changes during an attempt counts for the next one.
    guard hasNetworkChanged, !link.isAttempt, !link.isLeaving else { return }
    hasNetworkChanged = false
    step(.networkChanged, now)
  }

  private mutating func stop(_ now: MonotonicTime) {
    step(.stopRequested, now)
    if case .suspended(let number) = link { return close(number) }
    guard case .none = link else { return }
    connections += 1
    link = .ending(connections)
    environment.drop(connections, keepsQueue: false)
  }

  /// False where the machine ignores the event.
  @discardableResult
  private mutating func step(_ event: OutputLifecycle.Event, _ now: MonotonicTime) -> Bool {
    let actions = machine.handle(event, at: now, using: &randomness)
    held += actions
    performHeld(now)
    return !actions.isEmpty
  }

  private mutating func performHeld(_ now: MonotonicTime) {
    while !held.isEmpty, !link.isLeaving { perform(held.removeFirst(), now) }
  }

  private mutating func perform(_ action: OutputLifecycle.Action, _ now: MonotonicTime) {
    switch action {
    case .open(let type): open(type)
    case .close: if case .open(let number, _) = link { close(number) }
    case .drop: drop()
    case .setTimer(let number, let delay): timers.set(number, at: now + delay)
    case .cancelTimer(let number): timers.cancel(number)
    case .report(let condition): report(condition, now)
    }
  }
}

// MARK: - The connection

extension OutputDriver {
  private mutating func open(_ type: PublishType) {
    if case .suspended(let number) = link {
      link = .resuming(number, type)
      return environment.resume(number)
    }
    connections += 1
    link = .connecting(connections)
    let tracks = tracks.values.sorted { $0.kind.rawValue > $1.kind.rawValue }
    environment.connect(
      connections, to: movedTo ?? settings.address,
      PublishRequest(type: type, tracks: tracks, lead: OutputConnection.maxEarly + lag))
  }

  private mutating func close(_ number: Int) {
    leave(number)
    environment.close(number, keepsSession: goal == .paused, within: Self.drainTimeout)
  }

  private mutating func drop() {
    let catchesUp = settings.outage == .catchUp
    switch link {
    case .open(let number, _), .connecting(let number), .resuming(let number, _):
      // What is sent later begins there.
      if catchesUp, !link.isAttempt { environment.requestKeyframe() }
      leave(number)
      environment.drop(number, keepsQueue: catchesUp)
    case .awaitingTracks, .none, .suspended, .leaving, .ending, .ended: break
    }
  }

  private mutating func leave(_ number: Int) {
    link = .leaving(number)
    timers.cancel(Self.lossTimer)
  }

  /// From now on, beginning with a keyframe, everything is sent.
  private mutating func connected(_ number: Int, _ now: MonotonicTime) {
    if case .connecting(number) = link {
      figures.connections += 1
    } else {
      guard case .resuming(number, _) = link else { return }
    }
    link = .open(number, hasSentMedia: false)
    environment.begin(isFresh: settings.outage == .live)
    // What the last connection could carry says nothing of this one.
    bitrates?.restart()
    step(.accepted, now)
    decide(isAccepted: true)
  }

  private mutating func failed(_ number: Int, _ error: SinkError, _ now: MonotonicTime) {
    switch link {
    case .connecting(number), .open(number, _):
      why = error.what
      movedTo = error.kind == .moved ? error.location.flatMap(settings.address.moved) : nil
      step(.failed(error.kind), now)
    case .resuming(number, let type):
      held.append(.open(type))
      drop()
    case .awaitingTracks, .none, .connecting, .resuming, .open, .suspended, .leaving, .ending, .ended: break
    }
  }

  private mutating func mediaSent(_ number: Int, _ lost: OutputLoss, _ now: MonotonicTime) {
    guard case .open(number, _) = link else { return }
    losses.add(lost)
    let wasAwaited = isAwaitingMedia
    link = .open(number, hasSentMedia: true)
    guard wasAwaited else { return }
    reportLosses(now)
    environment.report(.changed(figures.condition, why: nil))
  }

  private mutating func exchanged(_ number: Int, _ reading: OutputReading, _ now: MonotonicTime) {
    guard case .open(number, _) = link else { return }
    switch reading.progress {
    case .nothingNew: break
    case .progressed: step(.progressed, now)
    case .wentQuiet:
      why = "it has shown no sign of life for a second"
      step(.wentQuiet, now)
    case .spokeAgain: step(.spokeAgain, now)
    }
    if let sample = reading.sample { adaptBitrate(to: sample, now) }
    figures.bytesSent = reading.health.bytesSent
    figures.queued = reading.queued
    figures.unsentBytes = reading.health.unsentBytes
    figures.roundTrip = reading.health.roundTrip
    figures.lossRate = reading.health.lossRate
    environment.publish(figures)
    losses.add(reading.lost)
    if let due = losses.due, !isAwaitingMedia { timers.set(Self.lossTimer, at: due) }
  }

  private mutating func disconnected(
    _ number: Int, _ lost: OutputLoss, _ lag: MediaTime, _ now: MonotonicTime
  ) {
    switch link {
    case .leaving(number), .suspended(number): settle(.none, lost, lag, now)
    case .resuming(number, let type):
      held.append(.open(type))
      settle(.none, lost, lag, now)
    case .ending(number):
      settle(.ended, lost, lag, now)
      reportLosses(now)
    case .awaitingTracks, .none, .connecting, .resuming, .open, .suspended, .leaving, .ending, .ended: break
    }
  }

  private mutating func settle(_ link: Link, _ lost: OutputLoss, _ lag: MediaTime, _ now: MonotonicTime) {
    self.link = link
    losses.add(lost)
    self.lag = min(max(self.lag, lag), Self.maxLag)
    performHeld(now)
  }
}

// MARK: - What is reported

extension OutputDriver {
  /// A server that has accepted is reported when the first media has gone out.
  private var isAwaitingMedia: Bool {
    guard figures.condition.state == .publishing, case .open(_, hasSentMedia: false) = link else {
      return false
    }
    return true
  }

  private mutating func report(_ condition: OutputLifecycle.Condition, _ now: MonotonicTime) {
    figures.condition = condition
    figures.since = now
    environment.publish(figures)
    guard !isAwaitingMedia else { return }
    environment.report(.changed(condition, why: condition.cause == nil ? nil : why))
    switch condition.state {
    case .waiting, .refused, .closed: decide(isAccepted: false)
    case .connecting, .publishing, .stalled: break
    }
  }

  private mutating func decide(isAccepted: Bool) {
    guard !isDecided else { return }
    isDecided = true
    environment.report(.decided(isAccepted: isAccepted))
  }

  private mutating func reportLosses(_ now: MonotonicTime) {
    guard let loss = losses.take(at: now) else { return }
    figures.lost = losses.total
    environment.publish(figures)
    environment.report(.lost(loss))
  }

  private mutating func adaptBitrate(to sample: BitrateController.Sample, _ now: MonotonicTime) {
    guard let bitrate = bitrates?.adapt(to: sample, at: now) else { return }
    let why = sample.isStalled ? "the server shows no life" : "\(settings.id) has \(sample.waiting) waiting"
    environment.report(.bitrateRequested(bitrate, why: why))
  }

  private mutating func limit(_ limits: BitrateController.Limits) {
    guard let bitrate = bitrates?.limit(to: limits), case .open = link else { return }
    environment.report(.bitrateRequested(bitrate, why: "as configured"))
  }
}
