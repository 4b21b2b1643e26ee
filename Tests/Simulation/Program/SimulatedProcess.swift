internal import HoldfastBroadcasting
internal import HoldfastLifecycle
internal import HoldfastMediaModel
internal import HoldfastPlatform
internal import HoldfastRecording

/// The program while it runs: the real driver, in a simulated environment.
final class SimulatedProcess {
  let surroundings: Surroundings
  var randomness: SplitMix64
  private(set) var isAlive = true
  private var environment: SimulatedEnvironment?
  private var driver: BroadcasterDriver<SimulatedEnvironment>?
  private var wakes = 0
  private(set) var isOver = false
  var connections: [Connection] = []

  init(_ surroundings: Surroundings) {
    self.surroundings = surroundings
    randomness = surroundings.world.randomness.fork()
  }

  var world: World { surroundings.world }
  var host: Host { surroundings.host }
  var disk: Disk { surroundings.disk }
  var devices: Devices { surroundings.devices }
  var endpoints: [Endpoint] { surroundings.endpoints }
  var settings: Settings { surroundings.settings }
  var state: Lifecycle.State { environment?.state ?? .idle }
  /// No broadcast has gone on yet with what a crash has left.
  var isResumptionPending: Bool { environment?.resumed != nil }
  var isAtRest: Bool { driver?.machine.isAtRest ?? true }
  var newest: SimulatedBroadcast? { all.last }
  private var all: [SimulatedBroadcast] { environment?.all ?? [] }

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
    let unfinished = recover()
    surroundings.session.processBegan(
      resuming: unfinished.map { surroundings.truth(of: $0.id) }, surroundings)
    let environment = SimulatedEnvironment(self, resuming: unfinished)
    self.environment = environment
    devices.watcher = { environment.sources.deviceChanged($0) }
    let resumption = unfinished.map {
      let end = settings.records ? disk.recordings[$0.id]?.last?.mediaEnd : nil
      return Resumption(
        $0, recordedUntil: end.map(MediaTime.init) ?? $0.mediaTime,
        window: MediaTime(nanoseconds: settings.window), at: host.instant)
    }
    var driver = BroadcasterDriver(
      settings.configuration, hasGate: settings.gate != .none, resuming: resumption, environment,
      at: host.now)
    driver.start(interruptedBy: surroundings.holds.isLocked ? .system : nil)
    self.driver = driver
    run()
    if settings.hasPreview, unfinished == nil { after(.s(2)) { [self] in ask(.command(.start)) } }
  }

  /// Lets go of its broadcasts, which hold it: the day is over.
  func release() {
    for broadcast in all { broadcast.release() }
    environment = nil
    driver = nil
  }

  func diskChanged() {
    for (_, journal) in disk.unfinished() where disk.takesLines { journal.writeWaiting(at: world.now) }
    for one in all { one.diskChanged() }
  }

  func networkChanged() {
    for output in all.flatMap(\.outputs) { output.networkChanged() }
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

  // MARK: The driver's loop

  /// Somebody wants something.
  func ask(_ event: Lifecycle.Event) {
    after(0) { [self] in
      surroundings.holds.hear(event, in: state, at: world.now)
      run(.lifecycle(event))
    }
  }

  /// The session may last longer.
  func extend(by more: Int64) {
    after(0) { [self] in
      let more = MediaTime(nanoseconds: more)
      surroundings.session.isAsked(for: more)
      run(.extend(by: more, request: "\(world.events)", until: host.clock, answer: { _ in }))
      surroundings.session.isAsked(for: .zero)
    }
  }

  func answered(_ answer: BroadcastAnswer, by broadcast: SimulatedBroadcast) {
    environment?.answered(answer, by: broadcast)
  }

  /// Into the driver's inbox.
  func post(_ event: BroadcasterEvent) {
    after(0) { [self] in run(event) }
  }

  private func run(_ event: BroadcasterEvent? = nil) {
    guard !isOver else { return }
    if let event {
      // The order of a set's members is another one each time.
      if case .opened = event {} else { world.note("program: \(event)") }
      driver?.handle(event, at: host.now)
    }
    driver?.fireTimers(at: host.now)
    guard let driver, let environment else { return }
    environment.expectOffAir()
    wakes += 1
    guard !driver.isFinished else {
      isOver = true
      world.expect(driver.timers.isEmpty, "ended with a timer")
      environment.expectAtRest()
      return world.after(.ms(1), surroundings.lookAfterProcess)
    }
    guard let deadline = driver.nextDeadline else { return }
    let number = wakes
    host.wait(until: deadline) { [weak self] in
      if let self, isAlive, number == wakes { run() }
    }
  }
}
