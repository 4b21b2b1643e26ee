internal import HoldfastBroadcasting
internal import HoldfastLifecycle
internal import HoldfastMediaModel
internal import HoldfastRecording

/// The program while it runs: it drives the real machine, and the simulated broadcasts that the machine asks for.
final class SimulatedProcess {
  private struct Running {
    let broadcast: SimulatedBroadcast
    let begin: Int
    var pause: Int?
    var close: Int?
  }

  let surroundings: Surroundings
  private(set) var machine: Lifecycle
  var randomness: SplitMix64
  private(set) var isAlive = true
  private var timers: Set<Int> = []
  private var pending: [Lifecycle.Event] = []
  private var running: [Int: Running] = [:]
  private var broadcasts = 0
  private var resumed: UnfinishedBroadcast?
  /// Of the last interruption.
  private var cause = Gap.Cause.user
  private var gateAsked: Int? {
    didSet { surroundings.holds.ask(gateAsked != nil, at: world.now) }
  }
  private(set) var hasDevices = false
  private var opening: Int?
  private var areDevicesGone = false
  private var deviceChanges = 0
  var connections: [Connection] = []

  init(_ surroundings: Surroundings) {
    self.surroundings = surroundings
    randomness = surroundings.world.randomness.fork()
    machine = Lifecycle(surroundings.settings.lifecycle)
  }

  var world: World { surroundings.world }
  var host: Host { surroundings.host }
  var disk: Disk { surroundings.disk }
  var devices: Devices { surroundings.devices }
  var endpoints: [Endpoint] { surroundings.endpoints }
  var settings: Settings { surroundings.settings }
  var newest: SimulatedBroadcast? { running.keys.max().flatMap { running[$0]?.broadcast } }
  var isOver: Bool { if case .ended = machine.state { running.isEmpty } else { false } }

  /// As far as the process lives, and the machine is awake.
  func after(_ delay: Int64, _ act: @escaping () -> Void) {
    host.wait(until: host.clock + MediaTime(nanoseconds: max(0, delay))) { [self] in if isAlive { act() } }
  }

  func start() {
    disk.watcher = { [weak self] in self?.diskChanged() }
    disk.beforeChange = { [weak self] in
      for one in self?.all ?? [] {
        one.journal.checkpoint(at: one.now)
        one.settle()
      }
    }
    devices.watcher = { [weak self] in self?.deviceChanged($0) }
    if surroundings.holds.isLocked { handle(.interruptionBegan(.system)) }
    let unfinished = recover()
    if let unfinished {
      let from = unfinished.interruption?.from ?? unfinished.lastSign
      let passed = from.elapsed(until: host.instant)?.nanoseconds ?? 0
      resumed = unfinished
      handle(.resumeAfterCrashRequested(windowLeft: MediaTime(nanoseconds: max(0, settings.window - passed))))
    } else if settings.hasPreview {
      handle(.previewRequested)
      after(.s(2)) { [self] in ask(.startRequested) }
    } else {
      handle(.startRequested)
    }
  }

  /// Lets go of its broadcasts, which hold it: the day is over.
  func release() {
    for broadcast in all { broadcast.release() }
    running = [:]
  }

  private var all: [SimulatedBroadcast] { running.keys.sorted().compactMap { running[$0]?.broadcast } }

  func diskChanged() {
    for (_, journal) in disk.unfinished() where disk.takesLines { journal.writeWaiting(at: world.now) }
    for one in all { one.diskChanged() }
  }

  func networkChanged() {
    for one in all { one.post(.networkChanged) }
  }

  func forget(_ connection: Connection) {
    connections.removeAll { $0 === connection }
  }

  /// It is gone, without a word. With `isSilent` not even the kernel hangs up.
  func vanish(isSilent: Bool) {
    for one in all {
      one.journal.checkpoint(at: isSilent ? max(0, world.now - JournalKeeper.writeBack) : world.now)
      one.vanish()
    }
    isAlive = false
    for (_, journal) in disk.unfinished() { journal.forgetWaiting() }
    disk.watcher = nil
    disk.beforeChange = nil
    devices.watcher = nil
    for connection in connections { connection.close(hasSaidGoodBye: false, isSilent: isSilent) }
    connections = []
  }

  // MARK: The machine

  /// Somebody wants something.
  func ask(_ event: Lifecycle.Event) {
    after(0) { [self] in
      surroundings.holds.hear(event, in: machine.state, at: world.now)
      handle(event)
    }
  }

  func handle(_ event: Lifecycle.Event) {
    pending.append(event)
    guard pending.count == 1 else { return }
    while let next = pending.first {
      let actions = machine.handle(next, at: host.clock)
      world.note("program: \(next) → \(actions)")
      for action in actions { perform(action) }
      pending.removeFirst()
    }
  }

  private func perform(_ action: Lifecycle.Action) {
    switch action {
    case .openDevices(let number): openDevices(number)
    case .closeDevices: closeDevices()
    case .begin(let number): begin(number)
    case .resumeAfterCrash: resumeAfterCrash()
    case .askGate(let number): askGate(number)
    case .withdrawGate:
      world.expect(gateAsked != nil, "withdraws a gate that was not asked")
      gateAsked = nil
    case .goLive: newest?.post(.request(.goLive))
    case .pause(let number):
      newest?.truth.isHeldAnew(at: world.now)
      change { $0.pause = number }?.post(.request(.pause))
    case .resume: newest?.post(.request(.resume(after: cause)))
    case .close(let number, _):
      guard let one = change({ $0.close = number }) else { return handle(.closed(number)) }
      // Also where it is stopped: a kill while it is being finished leaves nothing to resume.
      one.journal.write(.backgrounded)
      one.truth.closedAt = world.now
      one.post(.request(.stop(.stopped)))
    case .abandon: break
    case .setTimer(let number, let delay):
      world.expect(timers.insert(number).inserted, "a timer that is set twice")
      after(delay.nanoseconds) { [self] in
        if timers.remove(number) != nil { handle(.timerFired(number)) }
      }
    case .cancelTimer(let number): world.expect(timers.remove(number) != nil, "cancels no timer")
    case .tell(let state): tell(state)
    }
  }

  private func change(_ change: (inout Running) -> Void) -> SimulatedBroadcast? {
    guard let number = running.keys.max(), var one = running[number] else { return nil }
    change(&one)
    running[number] = one
    return one.broadcast
  }

  private func tell(_ state: Lifecycle.State) {
    switch state {
    case .interrupted(let cause, let until):
      // A crash is in the journal already; what is being closed has been told to end.
      guard cause != .crash, let one = running.keys.max().flatMap({ running[$0] }), one.close == nil else {
        break
      }
      self.cause = Gap.Cause(rawValue: cause.rawValue) ?? .user
      let wall = WallTime(nanoseconds: host.wall.nanoseconds + (until - host.clock).nanoseconds)
      one.broadcast.post(.request(.reportInterrupted(cause, until: wall)))
    case .idle, .previewing, .starting, .live, .backgrounded, .ending: break
    case .ended: expectAtRest()
    }
    surroundings.told(state)
  }

  private func expectAtRest() {
    world.expect(timers.isEmpty, "ended with a timer")
    world.expect(!hasDevices && opening == nil, "ended with open devices")
    world.expect(gateAsked == nil, "ended while the gate is asked")
  }
}

// MARK: - What the machine wants

extension SimulatedProcess {
  private func openDevices(_ number: Int) {
    world.expect(!hasDevices && opening == nil, "opens devices twice")
    opening = number
    after(.ms(200)) { [self] in
      guard opening == number else { return }
      opening = nil
      hasDevices = devices.present.count == TrackKind.allCases.count
      areDevicesGone = false
      handle(hasDevices ? .devicesOpened(number) : .devicesFailed(number))
    }
  }

  private func closeDevices() {
    world.expect(hasDevices || opening != nil, "closes devices that are not open")
    hasDevices = false
    opening = nil
  }

  /// A device's loss shows at once or when it gives nothing for a second, its return a little later.
  private func deviceChanged(_ track: TrackKind) {
    guard hasDevices else { return }
    newest?.deviceChanged(track)
    deviceChanges += 1
    let number = deviceChanges
    after(devices.present.isEmpty ? .ms(500) : .ms(300)) { [self] in
      guard number == deviceChanges, hasDevices, devices.present.isEmpty != areDevicesGone else { return }
      areDevicesGone.toggle()
      handle(areDevicesGone ? .interruptionBegan(.device) : .interruptionEnded(.device))
    }
  }

  private func askGate(_ number: Int) {
    world.expect(gateAsked == nil, "asks two gates")
    gateAsked = number
    guard settings.gate != .silent || randomness.chance(70) else { return }
    let isEasy = settings.gate == .passes
    let isPassed = isEasy || randomness.chance(80)
    after(randomness.length(.ms(20), isEasy ? .s(3) : .s(8))) { [self] in
      guard gateAsked == number else { return }
      gateAsked = nil
      handle(isPassed ? .gatePassed(number) : .gateRefused(number))
    }
  }

  private func begin(_ number: Int) {
    let id = host.wall.compact + "-\(surroundings.truths.count)"
    world.note("program: \(id) begins")
    add(SimulatedBroadcast(self, id: id, truth: surroundings.makeTruth(id)), number)
  }

  private func resumeAfterCrash() {
    guard let unfinished = resumed else { return world.expect(false, "takes up nothing") }
    resumed = nil
    let truth = surroundings.truth(of: unfinished.id)
    add(SimulatedBroadcast(self, id: unfinished.id, truth: truth, resumed: unfinished), 0)
  }

  private func add(_ broadcast: SimulatedBroadcast, _ number: Int) {
    let others = running.values.filter { $0.close == nil }
    world.expect(others.isEmpty, "two broadcasts at once")
    broadcasts += 1
    running[broadcasts] = Running(broadcast: broadcast, begin: number)
    broadcast.post(.started)
  }

  func answered(_ answer: BroadcastAnswer, by broadcast: SimulatedBroadcast) {
    guard let number = running.first(where: { $0.value.broadcast === broadcast })?.key,
      let one = running[number]
    else { return }
    switch answer {
    case .attemptsDecided: handle(.firstAttemptsDecided(one.begin))
    case .paused: if let pause = one.pause { handle(.paused(pause)) }
    case .over(let reason): if one.close == nil, let event = Self.event(of: reason) { handle(event) }
    case .ended:
      world.note("program: \(broadcast.id) is over")
      running[number] = nil
      if let close = one.close { handle(.closed(close)) }
      surroundings.broadcastEnded()
    }
  }

  private static func event(of reason: BroadcastEvent.EndReason) -> Lifecycle.Event? {
    switch reason {
    case .duration: .timeWasUp
    case .sourceEnded: .sourcesEnded
    case .failed: .failed
    case .stopped, .background, .windowClosed, .interruptedStart, .crash, .gateRefused, .gateTimedOut: nil
    }
  }
}
