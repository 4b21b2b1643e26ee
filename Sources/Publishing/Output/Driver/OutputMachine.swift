import HoldfastLifecycle
package import HoldfastMediaModel

/// Decides which connections one output makes, resumes and closes, and what it reports: a value without clock
/// or I/O, events in, actions out. `OutputLifecycle` decides when to connect.
///
/// One connection exists at a time. Events carry its number; one about an earlier connection has no effect.
package struct OutputMachine: Machine {
  private enum Goal {
    case idle, prepared, publishing, paused, stopped
  }

  private let settings: Output.Settings
  private let expectedTracks: Set<TrackKind>
  private var tracks: [TrackKind: Track] = [:]
  /// Those of the latest publish.
  private var published: [TrackKind: Track] = [:]
  private var lifecycle: OutputLifecycle
  private var randomness: any RandomNumberGenerator
  private(set) var state = State.awaitingTracks
  /// Number of the latest connection.
  private var connection = 0
  private var goal = Goal.idle
  private var hasNetworkChanged = false
  /// It leaves or has left for a pause: nothing that comes later is a loss.
  private var isAtRest = false
  /// What the queue holds was captured when it was to publish nowhere.
  private var discardsQueue = false
  private var wasWithdrawn = false
  /// The result of the first attempt since the start or the resume is reported.
  private var isDecided = false
  /// Nil while the output is to publish nowhere.
  private var address: OutputAddress?
  private var redirection: OutputAddress?
  private var reported: OutputLifecycle.Condition?
  private var failureReason: String?
  private var stalls = StallDetector(since: MonotonicTime(nanoseconds: 0))
  private var losses = LossLedger()
  /// Until then what is missing is due to other headers.
  private var causeEnds: MonotonicTime?
  /// How far the last packet that a server has may be behind its latest one.
  private var lag: MediaTime
  private var bitrates: BitrateController?
  private(set) var figures = OutputFigures()
  private var actions: [Action] = []

  /// Assumed where another process has published before.
  private static let unknownLag = MediaTime.milliseconds(100)
  /// Keeps a server that adds to its last time stamp from repeating it.
  private static let joint = MediaTime.milliseconds(10)
  /// Sound from before the first keyframe with other headers may be this late.
  private static let headersTimeout = MediaTime.milliseconds(500)
  /// The lifecycle's timers count from 1.
  private static let lossTimer = 0

  init(_ settings: Output.Settings, tracks: Set<TrackKind>, randomness: any RandomNumberGenerator) {
    self.settings = settings
    expectedTracks = tracks
    self.randomness = randomness
    lifecycle = OutputLifecycle(
      publishType: settings.publishType, hasPublished: settings.hasPublished,
      giveUpAfter: settings.giveUpAfter, acceptsRefusals: settings.acceptsRefusals)
    address = settings.awaitsAddress ? nil : settings.address
    lag = settings.hasPublished ? Self.unknownLag : .zero
    bitrates = settings.bitrates.map { BitrateController($0) }
  }

  package mutating func handle(_ event: Event, at now: MonotonicTime) -> [Action] {
    switch event {
    case .track(let track): tracks[track.kind] = track
    case .prepare: pursue(.prepared)
    case .publish:
      isAtRest = false
      if lifecycle.isReconnecting || isWithdrawn { isDecided = false }
      pursue(.publishing)
    case .pause: pursue(.paused)
    case .stop:
      discardsQueue = discardsQueue || address == nil
      pursue(.stopped)
    case .networkChanged: hasNetworkChanged = true
    case .move(let address): move(to: address, now)
    case .limit(let limits): limitBitrate(to: limits)
    case .send(let event): if case .open = state { actions.append(.send(event)) }
    // `connection` is a value to match: outcomes of earlier connections fall through.
    case .prepared(connection): prepared(now)
    case .connected(connection, let lost):
      losses.settle(lost)
      connected(now)
    case .failed(connection, let error): failed(error, now)
    case .mediaSent(connection, let lost): mediaSent(lost, now)
    case .exchanged(connection, let reading): exchanged(reading, now)
    case .suspended(connection, let end): disconnected(to: .suspended, end, now)
    case .disconnected(connection, let end):
      losses.leave(unsettled: end.unsettled)
      disconnected(to: .disconnected, end, now)
    case .prepared, .connected, .failed, .mediaSent, .exchanged, .suspended, .disconnected: break
    case .timerFired(Self.lossTimer): reportLosses(now)
    case .timerFired(let timer): forward(.timerFired(timer), now)
    }
    pursueGoal(now)
    figures.losing = reported?.state == .publishing || isWithdrawn ? nil : losses.running
    return takeActions()
  }

  private mutating func takeActions() -> [Action] {
    defer { actions = [] }
    return actions
  }

  private mutating func pursue(_ new: Goal) { if goal != .stopped { goal = new } }

  /// Moves towards the goal once no connection is closing: a pause and a resume meanwhile cancel each other.
  private mutating func pursueGoal(_ now: MonotonicTime) {
    switch state {
    case .closing, .finishing, .finished: return
    case .awaitingTracks:
      guard goal == .stopped || goal != .idle && expectedTracks.isSubset(of: tracks.keys) else { return }
      state = .disconnected
    case .disconnected, .connecting, .prepared, .resuming, .open, .suspended: break
    }
    if isWithdrawn { return withdraw(now) }
    switch goal {
    case .idle: break
    case .prepared: forward(.prepareRequested, now)
    case .publishing:
      let isReconnecting = lifecycle.isReconnecting
      if forward(.resumeRequested, now), !isReconnecting { isDecided = false }
      // Closed also after a cancelled pause that has ended an attempt.
      if lifecycle.isClosed || lifecycle.isHeld, forward(.startRequested, now) {
        isDecided = wasWithdrawn
        wasWithdrawn = false
      }
      if case .open = state { followHeaders(now) }
    case .paused:
      forward(.pauseRequested, now)
      // Without a connection to close, only what the outage has cost is awaited.
      guard state == .disconnected, !isAtRest, !catchesUp else { break }
      isAtRest = true
      dropQueue(then: .closing(then: []))
    case .stopped: stop(now)
    }
    // A change during an attempt counts for the next one.
    guard hasNetworkChanged, state.isSettled else { return }
    hasNetworkChanged = false
    forward(.networkChanged, now)
  }

  private var isWithdrawn: Bool { address == nil && goal != .stopped }

  /// Other arguments of the same address are for the next connection.
  private mutating func move(to new: OutputAddress?, _ now: MonotonicTime) {
    let old = address
    (address, redirection) = (new, nil)
    guard let new else { return }
    guard let old else {
      guard state == .disconnected else { return }
      discardsQueue = true
      return dropQueue(then: .closing(then: []))
    }
    guard !old.isSamePlace(as: new) else { return }
    switch state {
    case .disconnected, .connecting, .prepared, .resuming, .open: forward(.addressChanged, now)
    case .suspended: disconnect(.close(connection, keepsSession: false), then: [])
    case .awaitingTracks, .closing, .finishing, .finished: break
    }
  }

  /// What comes while there is nowhere to publish to is no loss.
  private mutating func withdraw(_ now: MonotonicTime) {
    forward(.stopRequested, now)
    if state == .suspended { disconnect(.close(connection, keepsSession: false), then: []) }
    // Nobody waits for it, nor for its first attempt later.
    guard goal != .idle else { return }
    wasWithdrawn = true
    decide()
  }

  private mutating func stop(_ now: MonotonicTime) {
    forward(.stopRequested, now)
    if state == .suspended { return disconnect(.close(connection, keepsSession: false), then: []) }
    if state == .disconnected { dropQueue(then: .finishing) }
  }

  private mutating func dropQueue(then next: State) {
    connection += 1
    state = next
    actions.append(.drop(connection, keepsQueue: false))
  }

  /// Passes an event to the lifecycle; false if the lifecycle ignores it.
  @discardableResult
  private mutating func forward(_ event: OutputLifecycle.Event, _ now: MonotonicTime) -> Bool {
    let requested = lifecycle.handle(event, at: now, using: &randomness)
    perform(requested[...], now)
    return !requested.isEmpty
  }

  private mutating func perform(_ requested: ArraySlice<OutputLifecycle.Action>, _ now: MonotonicTime) {
    guard let action = requested.first else { return }
    let rest = requested.dropFirst()
    switch action {
    case .prepare:
      connection += 1
      state = .connecting
      actions.append(.prepare(connection, to: target, request(.record)))
    case .open(let type): open(type)
    case .close:
      return disconnect(.close(connection, keepsSession: goal == .paused), then: Array(rest))
    case .drop: return drop(then: Array(rest))
    case .setTimer(let timer, let delay): actions.append(.setTimer(timer, at: now + delay))
    case .cancelTimer(let timer): actions.append(.cancelTimer(timer))
    case .report(let condition): report(condition, now)
    }
    perform(rest, now)
  }
}

// MARK: - The connection

extension OutputMachine {
  private mutating func open(_ type: PublishType) {
    if state == .suspended {
      state = .resuming(type)
      return actions.append(.resume(connection))
    }
    if state != .prepared { connection += 1 }
    state = .connecting
    published = tracks
    actions.append(.connect(connection, to: target, request(type)))
  }

  private var target: OutputAddress { redirection ?? address ?? settings.address }

  private func request(_ type: PublishType) -> PublishRequest {
    PublishRequest(type: type, tracks: sortedTracks, lead: Self.joint + lag)
  }

  /// Takes the connection to the headers of the latest tracks, or leaves it for one that has them.
  private mutating func followHeaders(_ now: MonotonicTime) {
    let changes = tracks.values.compactMap { new in
      published[new.kind].flatMap { $0.hasSameHeaders(as: new) ? nil : (old: $0, new: new) }
    }
    guard !changes.isEmpty else { return }
    if changes.allSatisfy({ target.canChange(from: $0.old, to: $0.new) }) {
      published = tracks
      actions.append(.change(to: sortedTracks))
    } else if forward(.headersChanged, now) {
      reportLosses(now)
      losses.cause = .source
    }
  }

  private var sortedTracks: [Track] { tracks.values.sorted { $0.kind.rawValue > $1.kind.rawValue } }

  private mutating func prepared(_ now: MonotonicTime) {
    guard state == .connecting else { return }
    state = .prepared
    forward(.prepared, now)
    decide()
  }

  private var catchesUp: Bool { settings.outage == .catchUp }

  private mutating func drop(then next: [OutputLifecycle.Action]) {
    // The next connection begins with this keyframe.
    if catchesUp, case .open = state { actions.append(.requestKeyframe) }
    disconnect(.drop(connection, keepsQueue: catchesUp), then: next)
  }

  private mutating func disconnect(_ action: Action, then next: [OutputLifecycle.Action]) {
    // The queue outlives the connection.
    let keepsQueue = if case .drop(_, keepsQueue: true) = action { true } else { false }
    isAtRest = goal == .paused && !keepsQueue
    state = .closing(then: next)
    actions += [.cancelTimer(Self.lossTimer), action]
  }

  private mutating func connected(_ now: MonotonicTime) {
    switch state {
    case .connecting: figures.connections += 1
    case .resuming: break
    case .awaitingTracks, .disconnected, .prepared, .open, .suspended, .closing, .finishing, .finished: return
    }
    state = .open(hasSentMedia: false)
    stalls = StallDetector(since: now)
    actions.append(.begin(isFresh: settings.outage == .live))
    // The throughput of an earlier connection says nothing about this one.
    bitrates?.restart()
    actions.append(.report(.accepted))
    forward(.accepted, now)
    decide()
  }

  private mutating func failed(_ error: SinkError, _ now: MonotonicTime) {
    switch state {
    case .connecting, .open:
      losses.cause = .network
      failureReason = lifecycle.isProving && error.kind == .closed ? Self.takenBack(error) : reason(error)
      redirection = error.kind == .moved ? error.location.flatMap((address ?? settings.address).moved) : nil
      forward(.failed(error.kind), now)
    case .resuming(let type): drop(then: [.open(type)])
    case .awaitingTracks, .disconnected, .prepared, .suspended, .closing, .finishing, .finished: break
    }
  }

  private func reason(_ error: SinkError) -> String {
    guard error.kind == .refused, let redirection,
      (address ?? settings.address).withholdsCredentials(from: redirection)
    else { return error.what }
    return
      "\(error.what) (redirected to \(redirection.redacted), which does not get the user and password of "
      + "another host: publish to that address)"
  }

  private static func takenBack(_ error: SinkError) -> String {
    "the publish was accepted, then \(error.what): the name is taken, or the server refuses this publisher"
  }

  private mutating func disconnected(to reached: State, _ end: OutputEnd, _ now: MonotonicTime) {
    let next: [OutputLifecycle.Action]
    switch state {
    case .closing(let actions): next = actions
    case .resuming(let type): next = [.open(type)]
    case .suspended, .finishing: next = []
    case .awaitingTracks, .disconnected, .connecting, .prepared, .open, .finished: return
    }
    // An end in order proves what no answer has proven yet.
    if end.isOrderly { prove(now) }
    // What an encoder still held when the output had left is no loss.
    if !discardsQueue, state != .finishing || !isAtRest { losses.add(end.lost) }
    discardsQueue = false
    state = state == .finishing ? .finished : reached
    if let reached = end.lag { lag = reached }
    figures.undelivered = nil
    // Media time stops here.
    if goal == .paused { reportLosses(now) }
    perform(next[...], now)
    guard state == .finished else { return }
    losses.settle()
    reportLosses(now)
  }
}

// MARK: - Media and reports

extension OutputMachine {
  private mutating func mediaSent(_ lost: OutputLoss, _ now: MonotonicTime) {
    guard case .open = state else { return }
    losses.add(lost)
    state = .open(hasSentMedia: true)
    stalls.mediaSent(at: now)
  }

  private mutating func prove(_ now: MonotonicTime) {
    guard lifecycle.awaitsProof else { return }
    reportLosses(now)
    if losses.cause != .network, case .open = state { causeEnds = now + Self.headersTimeout }
    forward(.proven, now)
  }

  private mutating func exchanged(_ reading: OutputReading, _ now: MonotonicTime) {
    guard case .open = state else { return }
    figures.update(reading)
    losses.add(reading.lost)
    if let ends = causeEnds, now >= ends {
      causeEnds = nil
      reportLosses(now)
      losses.cause = .network
    }
    let progress: StallDetector.Progress
    do { progress = try stalls.check(reading.health, at: now, limit: settings.stallTimeout) } catch {
      return failed(error, now)
    }
    switch progress {
    case .nothingNew: break
    case .progressed: forward(.progressed, now)
    case .stalled:
      failureReason = StallDetector.text(StallDetector.threshold)
      actions.append(.hold(true))
      forward(.stalled, now)
    case .recovered:
      actions.append(.hold(false))
      forward(.recovered, now)
    }
    if reading.isProven { prove(now) }
    if let sample = reading.sample { adaptBitrate(to: sample, now) }
    if let due = losses.due, !lifecycle.isProving { actions.append(.setTimer(Self.lossTimer, at: due)) }
  }

  private mutating func adaptBitrate(to sample: BitrateController.Sample, _ now: MonotonicTime) {
    var sample = sample
    sample.isStalled = stalls.isStalled
    guard let bitrate = bitrates?.adapt(to: sample, at: now) else { return }
    let reason = sample.isStalled ? "the server is stalled" : "\(settings.id) has \(sample.queued) queued"
    actions.append(.report(.bitrateRequested(bitrate, reason: reason)))
  }

  private mutating func limitBitrate(to limits: BitrateController.Limits) {
    guard let bitrate = bitrates?.limit(to: limits), case .open = state else { return }
    actions.append(.report(.bitrateRequested(bitrate, reason: "as configured")))
  }

  private mutating func report(_ condition: OutputLifecycle.Condition, _ now: MonotonicTime) {
    if condition.cause == .headersChanged {
      failureReason = "the source sends another format or other headers"
    }
    figures.condition = condition
    figures.since = now
    reportChange()
    switch condition.state {
    case .waiting, .refused, .closed: decide()
    case .connecting, .publishing, .stalled: break
    }
  }

  /// Reports the condition, but neither each of several attempts nor that they fail for the same reason.
  private mutating func reportChange() {
    let new = figures.condition
    if let last = reported {
      guard new.state != last.state || new.cause != last.cause else { return }
      if new.state == .connecting, last.state == .waiting || last.state == .connecting { return }
    }
    reported = new
    actions.append(.report(.changed(new, reason: new.cause == nil ? nil : failureReason)))
  }

  private mutating func decide() {
    guard !isDecided else { return }
    isDecided = true
    actions.append(.report(.firstAttemptFinished))
  }

  private mutating func reportLosses(_ now: MonotonicTime) {
    guard let loss = losses.take(at: now) else { return }
    figures.lost = losses.total
    actions.append(.report(.lost(loss)))
  }
}
