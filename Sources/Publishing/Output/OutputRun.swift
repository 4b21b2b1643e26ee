internal import HoldfastLifecycle
internal import HoldfastMediaModel
internal import HoldfastPlatform

/// What an output's thread does: it drives the machine, and the connection that the machine asks for.
struct OutputRun {
  private let output: Output
  private var machine: OutputLifecycle
  private var randomness = SystemRandomNumberGenerator()
  private var connection: OutputConnection?
  /// One whose server waits for us.
  private var waiting: OutputConnection?
  private var isPaused = false
  private var timer: (number: Int, at: MonotonicTime)?
  private var isOver = false
  private var isDecided = false
  /// Where a server has sent us.
  private var movedTo: OutputAddress?
  private var why: String?
  private var loss = OutputLoss()
  /// How far one track has lagged behind the other.
  private var lag = MediaTime.zero
  /// The condition is told when the first media has gone out.
  private var toldWithMedia: OutputLifecycle.Condition?
  private var limits: BitrateController.Limits?
  private var bitrates: BitrateController?
  private var nextLossTold = MonotonicTime.now

  /// How long what waits may take to be sent at the end.
  private static let drainLimit = MediaTime.milliseconds(1800)
  /// What has no room in the queue is told this often.
  private static let lossInterval = MediaTime.seconds(1)
  /// A connection is looked at this often.
  private static let beat = MediaTime.milliseconds(100)
  /// A hole that a server's recording has at each connection, at most.
  private static let mostLag = MediaTime.seconds(1)
  /// What another process may have sent is not known.
  private static let unknownLag = MediaTime.milliseconds(200)
  /// A keyframe that is no older is as good as a new one.
  private static let freshness = MediaTime.milliseconds(250)

  init(_ output: Output) {
    self.output = output
    machine = OutputLifecycle(
      publishType: output.settings.publishType, hasBeenAccepted: output.settings.hasBeenAccepted,
      giveUpAfter: output.settings.giveUpAfter)
    limits = output.settings.bitrates
    bitrates = limits.map { BitrateController($0) }
    if output.settings.hasBeenAccepted { lag = Self.unknownLag }
  }

  mutating func run() {
    waitForTracks()
    handle(.startRequested)
    while !isOver {
      takeRequests()
      guard !isOver else { break }
      if connection != nil {
        serve()
      } else {
        rest()
      }
    }
    // Nobody gets any more what still waits.
    output.queue.pause(keepsWaiting: false)
    loss.add(output.queue.takeLoss())
    tellLoss()
  }

  /// Nothing can be announced to a server before all tracks have said what they are.
  private mutating func waitForTracks() {
    while !output.surroundings.tracks.isSubset(of: output.known.withLock { $0.map(\.kind) }) {
      if output.requests.withLock({ $0.isToStop }) { return }
      wait(until: nil)
    }
  }

  private mutating func takeRequests() {
    let requests = output.requests.withLock { requests in
      defer { requests = Output.Requests(isToStop: requests.isToStop, isToPause: requests.isToPause) }
      return requests
    }
    if requests.isToStop {
      waiting?.close(until: .now + Self.drainLimit)
      handle(.stopRequested)
      isOver = true
      return
    }
    if requests.isToPause != isPaused {
      isPaused = requests.isToPause
      if !isPaused { isDecided = false }
      handle(isPaused ? .pauseRequested : .resumeRequested)
    }
    // A pause and a return in one have only ended the attempt that was under way.
    if !isPaused, machine.isClosed { handle(.startRequested) }
    if requests.hasNetworkChanged { handle(.networkChanged) }
    if let bitrates = requests.bitrates { limit(bitrates) }
    for event in requests.events { try? connection?.send(event) }
  }

  /// Waits for the timer, or for somebody who wants something.
  private mutating func rest() {
    if let waiting {
      keepAlive(waiting)
    } else {
      wait(until: timer?.at)
    }
    guard let timer, timer.at <= .now else { return }
    self.timer = nil
    handle(.timerFired(timer.number))
  }

  private func wait(until deadline: MonotonicTime?) {
    output.wakeup.wait(until: deadline)
    output.wakeup.clear()
  }

  private mutating func handle(_ event: OutputLifecycle.Event) {
    for action in machine.handle(event, at: .now, using: &randomness) { perform(action) }
  }

  private mutating func perform(_ action: OutputLifecycle.Action) {
    switch action {
    case .open(let type): open(type)
    case .close: close()
    case .drop: drop()
    case .setTimer(let number, let delay): timer = (number, .now + delay)
    case .cancelTimer: timer = nil
    case .tell(let condition): tell(condition)
    }
  }
}

// MARK: - The connection

extension OutputRun {
  private mutating func open(_ type: PublishType) {
    let settings = output.settings
    let address = movedTo ?? settings.address
    if goOn() { return }
    do throws(SinkError) {
      let connection = OutputConnection(output.makeSink(address))
      let tracks = output.known.withLock { $0 }.sorted { $0.kind.rawValue > $1.kind.rawValue }
      try connection.open(
        PublishRequest(type: type, tracks: tracks, lead: OutputConnection.mostEarly + lag),
        until: .now + settings.connectTimeout,
        stop: output.attempt.withLock { $0 })
      self.connection = connection
      output.show { $0.connections += 1 }
      begin()
    } catch {
      failed(error)
    }
  }

  /// In the session that the server has kept for us; false where there is none, or none any more.
  private mutating func goOn() -> Bool {
    guard let connection = waiting.take() else { return false }
    do throws(SinkError) {
      try connection.resume(until: .now + output.settings.connectTimeout)
      self.connection = connection
      begin()
      return true
    } catch {
      connection.close(until: .now)
      return false
    }
  }

  /// A session that is paused ends where nothing is said in it.
  private mutating func keepAlive(_ connection: OutputConnection) {
    do throws(SinkError) {
      try connection.exchange(until: .now + .seconds(1), wakeup: output.wakeup)
      output.wakeup.clear()
    } catch {
      connection.close(until: .now)
      waiting = nil
    }
  }

  /// The server has accepted: from now on, beginning with a keyframe, everything is sent.
  private mutating func begin() {
    let makesKeyframes = output.surroundings.makesKeyframes
    let isFresh = output.settings.outage == .live && makesKeyframes
    if output.queue.begin(isFresh: isFresh, freshness: Self.freshness), makesKeyframes {
      output.surroundings.requestKeyframe()
    }
    loss.add(output.queue.takeLoss())
    // What the last connection could carry says nothing of this one.
    bitrates = limits.map { BitrateController($0) }
    handle(.accepted)
    decide(isAccepted: true)
  }

  private mutating func failed(_ error: SinkError) {
    why = error.what
    movedTo = error.kind == .moved ? error.location.flatMap(output.settings.address.moved) : nil
    handle(.failed(error.kind))
    decide(isAccepted: false)
  }

  private mutating func decide(isAccepted: Bool) {
    guard !isDecided else { return }
    isDecided = true
    output.surroundings.report(.decided(isAccepted: isAccepted))
  }

  private mutating func serve() {
    guard let connection else { return }
    do throws(SinkError) {
      try connection.send(from: output.queue)
      if connection.hasSentMedia { tellPublishing() }
      try connection.exchange(until: .now + Self.beat, wakeup: output.wakeup)
      output.wakeup.clear()
      watch(connection)
    } catch {
      failed(error)
    }
  }

  /// Looks after the connection's progress.
  private mutating func watch(_ connection: OutputConnection) {
    let queued = output.queue.duration
    switch connection.look(at: .now, stallTimeout: output.settings.stallTimeout) {
    case .progress: handle(.progressed)
    case .quiet:
      why = "it has shown no sign of life for a second"
      handle(.wentQuiet)
    case .talking: handle(.spokeAgain)
    case .gone(let error): failed(error)
    case .nothingNew: break
    }
    adaptBitrate(connection, queued: queued)
    let health = connection.health
    output.show { figures in
      figures.bytesSent = health.bytesSent
      figures.queued = queued
      figures.unsentBytes = health.unsentBytes
      figures.roundTrip = health.roundTrip
      figures.lossRate = health.lossRate
    }
    loss.add(connection.takeTooEarly())
    loss.add(output.queue.takeLoss())
    if nextLossTold <= .now, toldWithMedia == nil { tellLoss() }
  }

  private mutating func adaptBitrate(_ connection: OutputConnection, queued: MediaTime) {
    guard let sample = connection.sample(queued: queued, at: .now),
      let bitrate = bitrates?.adapt(to: sample, at: .now)
    else { return }
    let why = sample.isStalled ? "the server shows no life" : "\(output.id) has \(sample.waiting) waiting"
    output.surroundings.report(.bitrateWanted(bitrate, why: why))
  }

  private mutating func limit(_ wanted: BitrateController.Limits) {
    guard limits != nil else { return }
    limits = wanted
    guard let bitrate = bitrates?.limit(to: wanted), connection != nil else { return }
    output.surroundings.report(.bitrateWanted(bitrate, why: "as configured"))
  }

  /// Sends what waits, and says good-bye.
  private mutating func close() {
    guard let connection else { return }
    let deadline = MonotonicTime.now + Self.drainLimit
    do throws(SinkError) {
      while !output.queue.isEmpty || connection.backlog > 0, .now < deadline {
        try connection.send(from: output.queue)
        output.wakeup.clear()
        // Where the network takes all of it at once, nothing is left to wait for.
        try connection.exchange(until: .now, wakeup: output.wakeup)
        guard connection.backlog > 0 else { continue }
        try connection.exchange(until: min(deadline, .now + Self.beat), wakeup: output.wakeup)
      }
    } catch {
      why = error.what
    }
    note(lagOf: connection)
    // What was handed over in an orderly way has arrived as far as anybody can know.
    if connection.backlog > 0 { loss.add(connection.takeUnconfirmed()) }
    if isPaused, connection.pause(until: deadline) {
      waiting = connection
    } else {
      let end = deadline + Self.beat
      connection.close(until: end)
      // Nor has a server that did not take the good-bye taken what was on its way.
      if end <= .now { loss.add(connection.takeUnconfirmed()) }
    }
    output.queue.pause(keepsWaiting: false)
    self.connection = nil
  }

  private mutating func note(lagOf connection: OutputConnection) {
    lag = min(max(lag, connection.lag), Self.mostLag)
  }

  private mutating func drop() {
    if let connection {
      connection.close(until: .now)
      note(lagOf: connection)
      loss.add(connection.takeUnconfirmed())
      self.connection = nil
      // What is sent later begins there.
      if output.settings.outage == .catchUp { output.surroundings.requestKeyframe() }
    }
    toldWithMedia = nil
    output.queue.pause(keepsWaiting: output.settings.outage == .catchUp)
  }
}

// MARK: - What is told

extension OutputRun {
  private mutating func tell(_ condition: OutputLifecycle.Condition) {
    output.show { figures in
      figures.condition = condition
      figures.since = .now
    }
    guard condition.state != .publishing || connection?.hasSentMedia == true else {
      toldWithMedia = condition
      return
    }
    toldWithMedia = nil
    output.surroundings.report(.changed(condition, why: condition.cause == nil ? nil : why))
  }

  private mutating func tellPublishing() {
    guard let condition = toldWithMedia else { return }
    toldWithMedia = nil
    loss.add(output.queue.takeLoss())
    tellLoss()
    output.surroundings.report(.changed(condition, why: nil))
  }

  private mutating func tellLoss() {
    nextLossTold = .now + Self.lossInterval
    guard !loss.isEmpty else { return }
    let lost = loss.video > loss.audio ? loss.video : loss.audio
    output.show { $0.lost += lost }
    output.surroundings.report(.lost(loss))
    loss = OutputLoss()
  }
}
