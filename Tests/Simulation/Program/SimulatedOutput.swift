internal import HoldfastLifecycle
internal import HoldfastMediaModel

/// What an output's thread does: it drives the real machine, and a simulated connection.
final class SimulatedOutput {
  private let process: SimulatedProcess
  private unowned let broadcast: SimulatedBroadcast
  let endpoint: Endpoint
  private(set) var machine: OutputLifecycle
  private var connection: Connection?
  /// The number of the attempt that is under way.
  private var attempt: Int?
  private var attempts = 0
  /// The server has accepted it, and we have not heard of it yet.
  private var arriving: Connection?
  private var timers: [Int: Int64] = [:]
  private var isPaused: Bool
  private var wantsPause: Bool
  private var wantsStop = false
  /// It is saying good-bye, and hears nothing.
  private var isLeaving = false
  private(set) var isOver = false
  private(set) var isDecided = false
  private var isQuiet = false
  private var isBlocked = false
  private var isTicking = false
  private var blocks = 0
  private(set) var condition: OutputLifecycle.Condition?
  /// What was captured since then has not been sent.
  private var lostSince: Int64?
  private var sentUntil: Int64
  private var actions: [OutputLifecycle.Action] = []
  private let catchesUp: Bool

  private static let queueLength: Int64 = .s(10)
  private static let gop: Int64 = .s(2)
  private static let drainLimit: Int64 = .ms(1800)

  init(
    _ process: SimulatedProcess, _ broadcast: SimulatedBroadcast, _ endpoint: Endpoint, wasAccepted: Bool,
    isPaused: Bool
  ) {
    self.process = process
    self.broadcast = broadcast
    self.endpoint = endpoint
    machine = OutputLifecycle(publishType: process.settings.publishType, hasBeenAccepted: wasAccepted)
    self.isPaused = false
    wantsPause = isPaused
    sentUntil = process.world.now
    lostSince = sentUntil
    catchesUp = process.settings.catchesUp
  }

  private var world: World { process.world }
  var isConnected: Bool {
    switch condition?.state {
    case .connecting, .publishing, .stalled, .waiting: true
    case .refused, .closed, nil: false
    }
  }
  /// What is not at the server, as far as anybody can know.
  var unsentSince: Int64 {
    connection?.settle()
    return lostSince ?? connection?.position ?? sentUntil
  }
  var isHealthy: Bool { condition?.state == .publishing && connection?.isBlocked == false }

  func start() {
    if wantsPause { return look() }
    handle(.startRequested)
  }

  // MARK: What is asked of it

  func pause() {
    wantsPause = true
    request(endsAttempt: true)
  }

  func resume() {
    wantsPause = false
    request(endsAttempt: false)
  }

  func stop() {
    wantsStop = true
    request(endsAttempt: true)
  }

  func networkChanged() {
    process.after(.ms(3)) { [self] in
      if attempt == nil, !isLeaving, !isOver { handle(.networkChanged) }
    }
  }

  private func request(endsAttempt: Bool) {
    process.after(.ms(2)) { [self] in
      if endsAttempt, attempt != nil {
        attempt = nil
        hangUpArriving()
        failed(.stopped)
      }
      look()
    }
  }

  /// Takes up what is asked for, once nothing is under way.
  private func look() {
    guard attempt == nil, !isLeaving, !isOver else { return }
    if wantsStop {
      handle(.stopRequested)
      if !isLeaving { end() }
      return
    }
    if wantsPause != isPaused {
      isPaused = wantsPause
      if !isPaused { isDecided = false }
      handle(isPaused ? .pauseRequested : .resumeRequested)
    }
    if !isPaused, !isLeaving, machine.isClosed { handle(.startRequested) }
  }

  private func end() {
    guard !isOver else { return }
    isOver = true
    world.expect(timers.isEmpty, "\(endpoint.id): a timer is left")
    world.expect(connection == nil, "\(endpoint.id): a connection is left")
    tellLoss(until: world.now)
    broadcast.outputEnded()
  }

  // MARK: The machine

  private func handle(_ event: OutputLifecycle.Event) {
    let now = process.host.clock
    let new = machine.handle(event, at: now, using: &process.randomness)
    if !new.isEmpty { world.note("\(endpoint.id): \(event) → \(new)") }
    actions += new
    goOn()
  }

  private func goOn() {
    while !isLeaving, !actions.isEmpty { perform(actions.removeFirst()) }
  }

  private func perform(_ action: OutputLifecycle.Action) {
    switch action {
    case .open(let type): open(type)
    case .close: close()
    case .drop: drop()
    case .setTimer(let number, let delay):
      world.expect(timers[number] == nil, "\(endpoint.id): a timer that is set twice")
      timers[number] = world.now
      process.after(delay.nanoseconds) { [self] in
        guard timers.removeValue(forKey: number) != nil else { return }
        handle(.timerFired(number))
      }
    case .cancelTimer(let number):
      world.expect(timers.removeValue(forKey: number) != nil, "\(endpoint.id): cancels no timer")
    case .tell(let condition):
      self.condition = condition
      broadcast.outputChanged(self)
    }
  }

  private func open(_ type: PublishType) {
    world.expect(connection == nil && attempt == nil, "\(endpoint.id): two publishes at once")
    attempts += 1
    let number = attempts
    attempt = number
    process.after(.ms(20)) { [self] in
      guard attempt == number else { return }
      switch endpoint.attempt(type, broadcast.id) {
      case .failed(let failure, nil): refuse(failure)
      case .failed(let failure, .some(let delay)):
        process.after(delay) { [self] in
          if attempt == number { refuse(failure) }
        }
      case .accepted(let connection): wait(for: connection, number)
      }
    }
  }

  private func refuse(_ failure: OutputFailure) {
    attempt = nil
    failed(failure)
    look()
  }

  /// The server's consent is on its way.
  private func wait(for connection: Connection, _ number: Int) {
    process.connections.append(connection)
    arriving = connection
    process.after(.ms(20)) { [self] in
      guard attempt == number else { return }
      attempt = nil
      if connection.isBlocked {
        hangUpArriving()
        failed(.timedOut)
      } else {
        arriving = nil
        begin(connection)
      }
      look()
    }
  }

  private func hangUpArriving() {
    guard let connection = arriving else { return }
    arriving = nil
    process.forget(connection)
    connection.close(hasSaidGoodBye: false)
  }

  private func begin(_ connection: Connection) {
    self.connection = connection
    isBlocked = false
    endpoint.hasAccepted(connection)
    broadcast.outputAccepted(self)
    let now = world.now
    let start = catchesUp ? max(sentUntil, now - Self.queueLength, broadcast.clock.runsSince ?? now) : now
    connection.send(from: start)
    connection.watcher = { [weak self] in self?.pathChanged() }
    handle(.accepted)
    decide()
    tellLoss(until: start)
    let block = blocks
    process.after(.ms(300)) { [self] in
      if self.connection === connection, blocks == block { handle(.progressed) }
    }
    tick()
  }

  private func failed(_ failure: OutputFailure) {
    handle(.failed(failure))
    decide()
  }

  private func decide() {
    guard !isDecided else { return }
    isDecided = true
    broadcast.outputDecided()
  }
}

// MARK: - The connection

extension SimulatedOutput {
  private func pathChanged() {
    guard let connection, !isLeaving else { return }
    connection.settle()
    if connection.isBlocked != isBlocked {
      isBlocked.toggle()
      blocks += 1
      isBlocked ? waitForLife(connection) : hearLife()
    }
    let hasWay = endpoint.condition.hasLink && !endpoint.condition.isCutOff
    if connection.isForgotten, hasWay { failAfter(.ms(10), .closed, connection) }
    tick()
  }

  private func waitForLife(_ connection: Connection) {
    handle(.progressed)
    let block = blocks
    process.after(.s(1)) { [self] in
      guard self.connection === connection, blocks == block, !isLeaving else { return }
      isQuiet = true
      handle(.wentQuiet)
      failAfter(.s(2), .noProgress, connection)
    }
  }

  private func hearLife() {
    if isQuiet { handle(.spokeAgain) }
    isQuiet = false
  }

  private func failAfter(_ delay: Int64, _ failure: OutputFailure, _ connection: Connection) {
    let block = blocks
    process.after(delay) { [self] in
      guard self.connection === connection, blocks == block, !isLeaving else { return }
      failed(failure)
      look()
    }
  }

  /// A way that takes too little: what waits for too long is left out, a group of pictures at a time.
  private func tick() {
    guard let connection, !isTicking, !isLeaving, endpoint.condition.capacity < 100 else { return }
    isTicking = true
    process.after(Self.gop) { [self] in
      isTicking = false
      if self.connection === connection, !isLeaving { leaveOutWhatWaits(connection) }
      tick()
    }
  }

  private func leaveOutWhatWaits(_ connection: Connection) {
    connection.settle()
    while connection.lag > Self.queueLength {
      let from = connection.position
      connection.skip(to: from + Self.gop)
      broadcast.tellGap(.network, from..<(from + Self.gop), output: endpoint.id)
    }
  }

  /// Sends what waits, and says good-bye.
  private func close() {
    guard let connection else { return }
    isLeaving = true
    drain(connection, from: world.now, world.now + Self.drainLimit)
  }

  private func drain(_ connection: Connection, from: Int64, _ limit: Int64) {
    process.after(.ms(60)) { [self] in
      connection.settle()
      guard connection.position >= from || world.now >= limit else {
        return drain(connection, from: from, limit)
      }
      process.forget(connection)
      connection.close(hasSaidGoodBye: !connection.isBlocked)
      self.connection = nil
      isQuiet = false
      sentUntil = connection.position
      lostSince = sentUntil
      isLeaving = false
      goOn()
      if wantsStop, machine.isClosed { end() } else { look() }
    }
  }

  private func drop() {
    attempt = nil
    guard let connection else { return }
    connection.settle()
    process.forget(connection)
    // What was on the way may not have arrived.
    sentUntil = connection.position
    lostSince = sentUntil - .ms(100)
    connection.close(hasSaidGoodBye: false)
    self.connection = nil
    isQuiet = false
  }

  private func tellLoss(until end: Int64) {
    guard let since = lostSince else { return }
    lostSince = nil
    if since < end { broadcast.tellGap(.network, since..<end, output: endpoint.id) }
  }
}
