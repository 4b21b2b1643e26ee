import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastPublishing
import TestVirtualTime

/// An output of a simulated broadcast: the real driver and a simulated connection to an endpoint.
final class SimulatedOutput {
  private let process: SimulatedProcess
  private unowned let broadcast: SimulatedBroadcast
  let endpoint: Endpoint
  private var loop: VirtualLoop<OutputDriver<SimulatedOutput>>?
  private(set) var condition: OutputLifecycle.Condition?
  private(set) var isDecided = false
  private(set) var decidedAt: Int64 = 0
  private var requests = 0
  private var number: Int?
  private var hasSentMedia = false
  /// Where the connection's media begins.
  private var sentFrom: Int64 = 0
  private var beganAt: Int64 = 0
  private var isProven = false
  private var connection: Connection?
  private var phase = Phase.none
  /// When the server was last heard of.
  private var answeredAt = MonotonicTime(nanoseconds: 0)
  /// How long its answers have taken on this connection.
  private var answers = AnswerTime(at: MonotonicTime(nanoseconds: 0))
  private var wasBlocked = false
  private var isTicking = false
  private var blocks = 0
  /// Media captured since then has neither been sent nor been passed to the driver as lost.
  private var lostSince: Int64
  /// The loss before this connection, reported with its first media or at its end.
  private var lostBefore = OutputLoss()
  /// The loss since then has been passed to the driver, which has not reported it.
  private var unreportedSince: Int64?

  private enum Phase { case none, attempting, prepared, open, suspended, leaving }

  private static let tracks = [
    Track(
      codec: .h264,
      format: .video(VideoFormat(size: PictureSize(width: 320, height: 180), frameRate: .thirty)),
      headers: [], bitrate: 500_000),
    Track(
      codec: .aac, format: .audio(AudioFormat(sampleRate: 48_000, channels: 2)), headers: [], bitrate: 128_000
    ),
  ]
  private static let queueLength: Int64 = .s(10)
  private static let gop: Int64 = .s(2)
  private static let beat: Int64 = .ms(100)

  init(
    _ process: SimulatedProcess, _ broadcast: SimulatedBroadcast, _ endpoint: Endpoint, wasAccepted: Bool
  ) {
    self.process = process
    self.broadcast = broadcast
    self.endpoint = endpoint
    lostSince = process.world.now
    let driver = OutputDriver(
      process.settings.output(id: endpoint.id, wasAccepted: wasAccepted),
      tracks: Set(Self.tracks.map(\.kind)), self, randomness: process.randomness.fork())
    loop = VirtualLoop(process, driver) { [unowned self] in
      world.expect(connection == nil && phase == .none, "\(endpoint.id): a connection is left")
      broadcast.partEnded()
    }
  }

  private var world: World { process.world }
  private var clock: MediaClock { broadcast.clock }

  var isConnected: Bool {
    switch condition?.state {
    case .connecting, .publishing, .stalled, .waiting: true
    case .refused, .closed, nil: false
    }
  }
  var isHealthy: Bool { condition?.state == .publishing && !(connection?.isBlocked ?? true) }

  /// The time from which media may be missing at the server.
  var unsentSince: Int64 {
    connection?.settle()
    let sent = phase == .open || phase == .leaving ? connection?.position : nil
    return min(sent ?? lostSince, unreportedSince ?? .max)
  }

  func release() { loop = nil }

  /// A server may leave an attempt unanswered for 5 s, also within a resumed session.
  private static let attemptLimit: Int64 = .s(12)
  /// Sending the queued media may take 1.8 s.
  private static let departureLimit: Int64 = .ms(2500)

  /// The outputs of a resumed broadcast are paused before they connect.
  func start(isPaused: Bool) {
    if isPaused { post(.pause) }
    for track in Self.tracks { post(.track(track)) }
  }

  func prepare() {
    isDecided = false
    request(.prepare, within: Self.attemptLimit) { $0.isDecided }
  }

  func pause() { request(.pause, within: Self.departureLimit) { $0.hasLeft || $0.phase == .suspended } }

  func publish() {
    isDecided = false
    request(.publish, within: Self.attemptLimit) { $0.hasReturned }
  }

  func stop() { request(.stop, within: Self.departureLimit) { $0.loop?.driver.isFinished ?? true } }

  func networkChanged() { post(.networkChanged, .ms(3)) }

  /// Expects an immediate retry after a change of the network.
  func expectAttempt() {
    guard condition?.state == .waiting, phase == .none else { return }
    let old = number
    process.expect(within: .ms(20), "\(endpoint.id): a change of the network is ignored") { [self] in
      number != old || condition?.state != .waiting
    }
  }

  private var hasLeft: Bool { phase == .none && !isConnected }

  private var hasReturned: Bool {
    switch condition?.state {
    case .publishing, .stalled, .waiting, .refused: true
    case .connecting, .closed, nil: isDecided
    }
  }

  private func post(_ message: OutputMachine.Event, _ delay: Int64 = 0) { loop?.post(message, after: delay) }

  private func request(
    _ message: OutputMachine.Event, within limit: Int64, _ isDone: @escaping (SimulatedOutput) -> Bool
  ) {
    post(message, .ms(2))
    expect("\(message)", within: limit, isDone)
  }

  /// Expects a request to complete in time, unless another one follows.
  private func expect(_ request: String, within limit: Int64, _ isDone: @escaping (SimulatedOutput) -> Bool) {
    requests += 1
    let number = requests
    process.expect(within: limit, "\(endpoint.id): \(request) is not carried out") { [self] in
      requests != number || isDone(self)
    }
  }

  private func isAt(_ number: Int, _ phase: Phase) -> Bool { self.number == number && self.phase == phase }

  private func takeLoss(until end: Int64) -> OutputLoss {
    defer { lostSince = max(lostSince, end) }
    return lostSince < end ? loss(of: lostSince..<end) : OutputLoss()
  }

  private func takeLostBefore(with later: OutputLoss = OutputLoss()) -> OutputLoss {
    defer { lostBefore = OutputLoss() }
    var lost = lostBefore
    lost.add(later)
    return lost
  }

  private func loss(of captured: Range<Int64>) -> OutputLoss {
    var loss = OutputLoss()
    for part in clock.parts(of: captured) {
      for track in TrackKind.allCases {
        loss.add(track, at: MediaTime(nanoseconds: part.media), MediaTime(nanoseconds: part.captured.length))
      }
    }
    if !loss.isEmpty { unreportedSince = min(unreportedSince ?? .max, captured.lowerBound) }
    return loss
  }
}

// MARK: - The driver's environment

extension SimulatedOutput: OutputEnvironment {
  func prepare(_ number: Int, to address: OutputAddress, _ request: PublishRequest) {
    world.expect(connection == nil && phase == .none, "\(endpoint.id): two connections at once")
    self.number = number
    phase = .attempting
    process.after(.ms(20)) { [self] in
      guard isAt(number, .attempting) else { return }
      if let failure = endpoint.connect() { return post(.failed(number, SinkError(failure, ""))) }
      phase = .prepared
      post(.prepared(number))
    }
  }

  func connect(_ number: Int, to address: OutputAddress, _ request: PublishRequest) {
    let isFree = phase == .none || isAt(number, .prepared)
    world.expect(connection == nil && isFree, "\(endpoint.id): two publishes at once")
    world.expect(request.tracks.count == Self.tracks.count, "\(endpoint.id): a track is not announced")
    self.number = number
    phase = .attempting
    process.after(.ms(20)) { [self] in
      guard isAt(number, .attempting) else { return }
      switch endpoint.attempt(request.type, broadcast.id) {
      case .failure(let error): post(.failed(number, error), error.kind == .timedOut ? .s(5) : 0)
      case .success(let connection):
        process.connections.append(connection)
        self.connection = connection
        arrive(number, after: .ms(20))
      }
    }
  }

  func resume(_ number: Int) {
    // If the session has just ended, the driver is about to be notified.
    guard isAt(number, .suspended) else { return }
    phase = .attempting
    arrive(number, after: connection?.isBlocked ?? true ? .s(5) : .ms(40))
  }

  private func arrive(_ number: Int, after delay: Int64) {
    process.after(delay) { [self] in
      guard isAt(number, .attempting), let connection else { return }
      if connection.isBlocked { return post(.failed(number, SinkError(.timedOut, ""))) }
      post(.connected(number))
      process.expect(within: .ms(10), "\(endpoint.id): nothing is sent, though it is accepted") { [self] in
        !isAt(number, .attempting)
      }
    }
  }

  func begin(isFresh: Bool) {
    guard let number, let connection else { return world.expect(false, "\(endpoint.id): sends nowhere") }
    phase = .open
    (hasSentMedia, wasBlocked, answeredAt) = (false, false, process.host.clock)
    let now = world.now
    let start = isFresh ? now : max(lostSince, now - Self.queueLength, clock.runsSince ?? now)
    connection.send(from: start)
    (sentFrom, isProven) = (start, false)
    (answers, beganAt) = (AnswerTime(at: process.host.clock), now)
    connection.watcher = { [weak self] in self?.pathChanged() }
    connection.answersWatcher = { [weak self] in self?.noteAnswers() }
    lostBefore.add(takeLoss(until: start))
    awaitMedia(number)
    pathChanged()
  }

  private func awaitMedia(_ number: Int) {
    process.after(.ms(20)) { [self] in
      guard isAt(number, .open) else { return }
      guard clock.isRunning else {
        return process.after(Self.beat) { [self] in awaitMedia(number) }
      }
      hasSentMedia = true
      post(.mediaSent(number, lost: takeLostBefore()))
      let block = blocks
      process.after(.ms(300)) { [self] in
        guard isAt(number, .open) else { return }
        world.expect(hasReturned, "\(endpoint.id): media is sent, and publishing is not reported")
        if blocks == block { read(number) }
      }
    }
  }

  func send(_ event: CustomEvent) {}

  func close(_ number: Int, keepsSession: Bool, within limit: MediaTime) {
    guard self.number == number, let connection else { return }
    let wasOpen = phase == .open
    phase = .leaving
    guard wasOpen else {
      return process.after(.ms(20)) { [self] in hangUp(hasSaidGoodBye: !connection.isBlocked, number) }
    }
    drain(connection, number, keepsSession, from: world.now, world.now + limit.nanoseconds)
  }

  private func drain(
    _ connection: Connection, _ number: Int, _ keepsSession: Bool, from: Int64, _ limit: Int64
  ) {
    process.after(.ms(60)) { [self] in
      connection.settle()
      guard connection.position >= from || world.now >= limit else {
        return drain(connection, number, keepsSession, from: from, limit)
      }
      lostSince = connection.position
      let sent = sentFrom..<max(sentFrom, connection.position)
      hasSentMedia = hasSentMedia || !clock.parts(of: sent).isEmpty
      connection.suspend()
      awaitAnswer(connection, number, suspends: keepsSession && endpoint.keepsSessions, limit + .ms(100))
    }
  }

  /// The answer to a pause is awaited until `limit`, the one to the good-bye as long as the server's silence is no loss.
  private func awaitAnswer(_ connection: Connection, _ number: Int, suspends: Bool, _ limit: Int64) {
    noteAnswers()
    let time = endpoint.condition.answersAfter
    let owedFor = min(time, world.now - max(beganAt, endpoint.answersSince))
    let clock = process.host.clock
    let patience = answers.patience(at: clock, askedAt: clock - MediaTime(nanoseconds: owedFor)).nanoseconds
    let left = limit - world.now
    endpoint.isAwaited(for: min(time, left))
    let isAnswered = time <= (suspends ? left : min(left, patience))
    process.after(min(time, suspends ? left : min(left, patience))) { [self] in
      guard isAt(number, .leaving) else { return }
      guard isAnswered || connection.isBlocked else {
        let missed = max(sentFrom, connection.position - time)..<max(sentFrom, connection.position)
        // No server can be known to be that slow before it has been.
        if owedFor < time || time > left {
          broadcast.truth.unproven[endpoint.id, default: Spans()].insert(missed)
        }
        lostSince = missed.lowerBound
        return hangUp(hasSaidGoodBye: true, isAnswered: false, number)
      }
      guard suspends, !connection.isBlocked else {
        return hangUp(hasSaidGoodBye: !connection.isBlocked, number)
      }
      phase = .suspended
      let lost = takeLostBefore(with: takeLoss(until: world.now))
      post(.suspended(number, OutputEnd(lost: lost, isOrderly: hasSentMedia)))
    }
  }

  /// Takes note of the answers of the last while: a ping goes out with each picture.
  private func noteAnswers() {
    guard phase == .open || phase == .leaving else { return }
    let owedFor = world.now - max(beganAt, endpoint.answersSince)
    let time = MediaTime(nanoseconds: min(endpoint.condition.answersAfter, owedFor))
    if owedFor >= endpoint.condition.answersAfter { answers.answered(after: time, at: process.host.clock) }
  }

  func drop(_ number: Int, keepsQueue: Bool) {
    connection?.settle()
    let position = phase == .open ? connection?.position : nil
    if let position {
      lostSince = isProven ? position - .ms(100) : sentFrom
      if !isProven {
        broadcast.truth.unproven[endpoint.id, default: Spans()].insert(sentFrom..<max(sentFrom, position))
      }
    }
    hangUp(hasSaidGoodBye: false, number, lostUntil: keepsQueue ? position ?? lostSince : world.now)
  }

  private func hangUp(hasSaidGoodBye: Bool, isAnswered: Bool = true, _ number: Int, lostUntil: Int64? = nil) {
    let isOrderly = hasSaidGoodBye && isAnswered && hasSentMedia
    if let connection {
      process.forget(connection)
      connection.close(hasSaidGoodBye: hasSaidGoodBye)
    }
    connection = nil
    phase = .none
    let lost = takeLostBefore(with: takeLoss(until: lostUntil ?? world.now))
    post(.disconnected(number, OutputEnd(lost: lost, isOrderly: isOrderly)), .ms(1))
  }

  func change(to tracks: [Track]) {}
  func hold(_ isHeld: Bool) {}
  func requestKeyframe() {}

  func report(_ event: Output.Event) {
    world.note("\(endpoint.id): \(event)")
    switch event {
    case .changed(let condition, _):
      self.condition = condition
      guard condition.state == .publishing else { break }
      endpoint.hasPublished(broadcast.id)
      world.expect(hasSentMedia, "\(endpoint.id): publishing is reported before media is sent")
    case .firstAttemptFinished:
      isDecided = true
      decidedAt = world.now
    case .accepted: break
    case .lost: unreportedSince = nil
    case .bitrateRequested: break
    }
    broadcast.output(self, reported: event)
  }

  func show(_ figures: OutputFigures) {}

  func wait(for inbox: Inbox<OutputMachine.Event>, until deadline: MonotonicTime?) -> OutputMachine.Event? {
    nil
  }
}

extension SimulatedOutput {
  private func read(_ number: Int, lost: OutputLoss = OutputLoss()) {
    guard isAt(number, .open), let connection else { return }
    if !connection.isBlocked { answeredAt = process.host.clock }
    var health = SinkHealth(lastProgress: answeredAt)
    health.isWaitingForPeer = connection.isBlocked
    isProven = isProven || hasSentMedia && !connection.isBlocked
    post(.exchanged(number, OutputReading(health, lost: lost, isProven: isProven)))
  }

  private func pathChanged() {
    guard let number, let connection else { return }
    connection.settle()
    if phase == .suspended {
      if connection.isForgotten { hangUp(hasSaidGoodBye: false, number) }
      return
    }
    guard phase == .open else { return }
    if connection.isBlocked != wasBlocked {
      wasBlocked.toggle()
      blocks += 1
      wasBlocked ? awaitLife(number) : read(number)
    }
    let hasWay = endpoint.condition.hasLink && !endpoint.condition.isCutOff
    if connection.isForgotten, hasWay { fail(number, after: .ms(10), .closed) }
    tick(number)
  }

  /// Reads until the driver gives up the blocked connection, or it is free again.
  private func awaitLife(_ number: Int) {
    read(number)
    let block = blocks
    process.after(Self.beat) { [self] in
      if isAt(number, .open), blocks == block { awaitLife(number) }
    }
  }

  private func fail(_ number: Int, after delay: Int64, _ failure: OutputFailure) {
    let block = blocks
    process.after(delay) { [self] in
      if isAt(number, .open), blocks == block { post(.failed(number, SinkError(failure, ""))) }
    }
  }

  /// Drops media queued for too long, a GOP at a time.
  private func tick(_ number: Int) {
    guard isAt(number, .open), !isTicking, endpoint.condition.capacity < 100 else { return }
    isTicking = true
    process.after(Self.gop) { [self] in
      isTicking = false
      if isAt(number, .open), let connection { leaveOutWhatWaits(connection, number) }
      if let number = self.number { tick(number) }
    }
  }

  private func leaveOutWhatWaits(_ connection: Connection, _ number: Int) {
    connection.settle()
    while connection.lag > Self.queueLength {
      let from = connection.position
      connection.skip(to: from + Self.gop)
      read(number, lost: loss(of: from..<(from + Self.gop)))
    }
  }
}
