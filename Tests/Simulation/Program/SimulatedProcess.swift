import HoldfastBroadcasting
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRecording
import TestRandomness
import TestVirtualTime

/// The running program: the real driver in a simulated environment.
final class SimulatedProcess {
  unowned let day: Day
  var randomness: SplitMix64
  private(set) var isAlive = true
  private var loop: VirtualLoop<ProcessDriver<SimulatedProcess>>?
  private var sources: SimulatedSources?
  private var status: ProcessStatus?
  /// The unfinished broadcast of a crash, until it is resumed.
  private var resumed: UnfinishedBroadcast?
  private var broadcasts: [BroadcastNumber: SimulatedBroadcast] = [:]
  var connections: [Connection] = []
  private var asked: Question? {
    didSet { day.holds.setGate(asked != nil, at: world.now) }
  }
  /// The number of the broadcast that last passed the gate.
  private var passed: BroadcastNumber?
  /// The time since which no broadcast may be live.
  private var offAirSince: Int64?

  private struct Question {
    let number: Int
    let broadcast: BroadcastNumber
    let at: MonotonicTime
    var hasBegun = false
    var verdict: BroadcastEvent.GateVerdict?
  }

  /// How long media time may continue after the broadcast is no longer live.
  private static let holdLimit: Int64 = .s(3)

  init(_ day: Day) {
    self.day = day
    randomness = day.world.randomness.fork()
  }

  var world: World { day.world }
  var host: Host { day.host }
  var disk: Disk { day.disk }
  var devices: Devices { day.devices }
  var settings: Settings { day.settings }
  var state: Lifecycle.State { status?.state ?? .idle }
  var offAir: OffAirRecord? { status?.offAir }
  var isOver: Bool { loop?.driver.isFinished ?? false }
  var isAtRest: Bool { loop?.driver.machine.isAtRest ?? true }
  var isResumptionPending: Bool { resumed != nil }
  var newest: SimulatedBroadcast? { all.last }
  private var all: [SimulatedBroadcast] { broadcasts.keys.sorted().compactMap { broadcasts[$0] } }

  /// Acts after `delay` on the host's clock if the process is still alive.
  func after(_ delay: Int64, _ act: @escaping () -> Void) {
    host.wait(until: host.clock + MediaTime(nanoseconds: max(0, delay))) { [self] in if isAlive { act() } }
  }

  func expect(within limit: Int64, _ claim: String, _ isTrue: @escaping () -> Bool) {
    after(limit) { [self] in world.expect(isTrue(), claim) }
  }

  func start() {
    disk.watcher = { [weak self] in self?.diskChanged() }
    disk.beforeChange = { [weak self] in
      for one in self?.all ?? [] {
        one.journal.checkpoint(at: one.now)
        one.settle()
      }
    }
    let sources = SimulatedSources(self)
    self.sources = sources
    devices.watcher = { sources.deviceChanged($0) }
    let plan = recover()
    resumed = plan?.resumed
    day.check(offAir: plan?.offAir)
    day.session.processBegan(resuming: resumed.map { day.truth(of: $0.id) }, day)
    let resumption = resumed.map {
      let end = settings.records ? disk.recordings[$0.id]?.last?.mediaEnd : nil
      return Resumption(
        $0, recordedUntil: end.map(MediaTime.init) ?? $0.mediaTime,
        window: MediaTime(nanoseconds: settings.window), at: host.instant)
    }
    var driver = ProcessDriver(
      settings.configuration, hasGate: settings.gate != .none, resuming: resumption, offAir: plan?.offAir,
      self, at: host.now, makeID: day.makeBroadcastID)
    driver.start(interruptedBy: day.holds.isLocked ? .system : nil)
    loop = VirtualLoop(self, driver) { [unowned self] in ended() }
    loop?.turn()
    if settings.hasPreview, resumption == nil { after(.s(2)) { [self] in request(.command(.start)) } }
  }

  private func ended() {
    world.expect(sources?.areNeeded == false, "ended with open devices")
    world.expect(asked == nil, "ended while the gate is asked")
    world.expect(broadcasts.isEmpty, "ended with a broadcast")
    world.after(.ms(1)) { [day] in day.processEnded() }
  }

  func diskChanged() {
    for (_, journal) in disk.unfinished() where disk.takesLines { journal.writeWaiting(at: world.now) }
    for one in all { one.diskChanged() }
  }

  func networkChanged() { for one in all { one.networkChanged() } }

  func forget(_ connection: Connection) { connections.removeAll { $0 === connection } }

  /// The process crashes. With `isSilent` the kernel does not even close its connections.
  func vanish(isSilent: Bool) {
    for one in all {
      one.journal.checkpoint(at: isSilent ? max(0, world.now - JournalKeeper.writeBack) : world.now)
      one.vanish()
      one.release()
    }
    isAlive = false
    for (_, journal) in disk.unfinished() { journal.forgetWaiting() }
    (disk.watcher, disk.beforeChange, devices.watcher) = (nil, nil, nil)
    for connection in connections { connection.close(hasSaidGoodBye: false, isSilent: isSilent) }
    (connections, broadcasts) = ([], [:])
    (loop, sources) = (nil, nil)
  }

  func request(_ event: Lifecycle.Event) {
    after(0) { [self] in
      day.holds.note(event, in: state, at: world.now)
      handle(.lifecycle(event))
    }
  }

  func extend(by more: Int64) {
    after(0) { [self] in
      let more = MediaTime(nanoseconds: more)
      day.session.willExtend(by: more)
      handle(.request(.extend(by: more, request: "\(world.events)", answer: { _ in }), until: host.clock))
      day.session.willExtend(by: .zero)
    }
  }

  func post(_ event: ProcessEvent) { after(0) { [self] in handle(event) } }

  private func handle(_ event: ProcessEvent) {
    // Sets are unordered, which would make logs differ between runs.
    if case .opened = event {} else { world.note("program: \(event)") }
    loop?.turn(event)
  }

  func mediaBegan() { day.session.begin(settings.maxDuration, at: world.now) }

  func answered(_ answer: BroadcastAnswer, by broadcast: SimulatedBroadcast) {
    guard let number = broadcasts.first(where: { $0.value === broadcast })?.key else { return }
    post(.broadcast(number, answer))
  }
}

// MARK: - The driver's environment

extension SimulatedProcess: ProcessEnvironment {
  func request(_ request: SourceRequest) {
    switch request {
    case .open(let number): sources?.open(number)
    case .close: sources?.close()
    case .change: break
    }
  }

  func preview(_ isOn: Bool) { world.expect(!isOn || state == .previewing, "previews while it is \(state)") }

  func openBroadcast(_ number: BroadcastNumber, id: String) {
    world.note("program: \(id) begins")
    world.expect(sources?.isOpen == true, "\(id) begins without devices")
    world.expect(all.allSatisfy { $0.truth.closedAt != nil }, "two broadcasts at once")
    let unfinished = resumed.take()
    world.expect(unfinished.map { $0.id == id } ?? true, "\(id) begins though another one is to be resumed")
    let truth = unfinished == nil ? day.makeTruth(id) : day.truth(of: id)
    let broadcast = SimulatedBroadcast(self, truth, resumed: unfinished)
    broadcasts[number] = broadcast
    broadcast.post(.started)
  }

  func post(_ request: BroadcastRequest, to number: BroadcastNumber) -> Bool {
    guard let broadcast = broadcasts[number] else {
      world.expect(false, "\(request) to a broadcast that is over")
      return false
    }
    world.note("program: \(request) to \(broadcast.id)")
    switch request {
    case .goLive:
      world.expect(settings.gate == .none || passed == number, "\(broadcast.id) is live without the gate")
      offAirSince = nil
    case .resume:
      let needsGate = settings.gate != .none && settings.asksGateOnResume
      world.expect(!needsGate || passed == number, "\(broadcast.id) resumes without the gate")
      passed = nil
    case .pause: broadcast.truth.isHeldAnew(at: world.now)
    case .stop: broadcast.truth.closedAt = world.now
    case .prepare, .reportInterrupted, .limitBitrate, .send, .move: break
    }
    broadcast.perform(request)
    return true
  }

  func write(_ entry: JournalEntry, toJournalOf number: BroadcastNumber) {
    guard let broadcast = broadcasts[number] else { return world.expect(false, "no journal for \(entry)") }
    broadcast.journal.write(entry)
    if case .session = entry { day.session.isJournaled(at: world.now) }
  }

  func release(_ broadcast: BroadcastNumber, _ outcome: Broadcast.Outcome) {
    let released = broadcasts.removeValue(forKey: broadcast)
    world.expect(released != nil, "releases a broadcast twice")
    released?.release()
  }

  func discardInterrupted(_ reason: BroadcastEvent.EndReason) {
    guard let unfinished = resumed.take() else { return world.expect(false, "discards nothing") }
    finish(unfinished, disk.journal(of: unfinished.id))
  }

  func keep(_ word: LastWord) { disk.keep(word) }

  func instant(at now: Instant) -> JournalInstant { host.instant }

  func askGate(_ number: Int, about broadcast: BroadcastNumber, _ occasion: BroadcastInfo.Occasion) {
    world.expect(asked == nil, "asks two gates")
    asked = Question(number: number, broadcast: broadcast, at: host.clock)
    passed = nil
    // A gate that never runs must let nothing pass.
    let begins = day.isCalm || randomness.chance(95)
    if begins { post(.gateBegan(number)) }
    asked?.hasBegun = begins
    guard begins, settings.gate != .silent || randomness.chance(70) else { return }
    let isEasy = settings.gate == .passes
    let isPassed = isEasy || randomness.chance(80)
    after(randomness.length(.ms(20), isEasy ? .s(3) : .s(8))) { [self] in
      // A gate may answer while it is cancelled or consulted again.
      post(.gateAnswered(number, isPassed ? nil : GateError(.refused)))
      if asked?.number == number { asked?.verdict = isPassed ? .passed : .refused }
    }
  }

  func cancelGate() {
    world.expect(asked != nil, "cancels a gate that was not asked")
    asked = nil
  }

  private func gateReported(_ verdict: BroadcastEvent.GateVerdict) {
    switch verdict {
    case .asked: break
    case .refused where asked?.hasBegun == false: expectTimeout()
    case .passed, .refused:
      world.expect(asked?.verdict == verdict, "\(verdict.rawValue) is reported, which the gate has not said")
      if verdict == .passed { passed = asked?.broadcast }
      asked = nil
    case .timedOut:
      expectTimeout()
      if settings.passesOnGateTimeout { passed = asked?.broadcast }
    }
  }

  private func expectTimeout() {
    let time = asked.map { host.clock - $0.at } ?? .zero
    world.expect(time >= settings.configuration.session.gate.limit, "a gate has \(time) to answer")
  }

  func report(_ observation: Broadcast.Observation) {
    guard case .event(let line) = observation else { return }
    world.note("program says: \(line.event)")
    if case .timer(let report, let status) = line.event { day.session.report(report, status, day) }
    if case .gate(let verdict, _, _) = line.event { gateReported(verdict) }
  }

  func publish(_ status: ProcessStatus) {
    let old = state
    self.status = status
    guard status.state != old else { return }
    if status.state == .live { offAirSince = nil } else if old == .live { goOffAir() }
    switch status.state {
    // A preview also precedes resuming.
    case .previewing where resumed != nil: break
    case .idle, .previewing, .ended: day.session.end(at: world.now)
    case .starting, .live, .interrupted, .backgrounded, .ending: break
    }
  }

  private func goOffAir() {
    let since = world.now
    offAirSince = since
    expect(within: Self.holdLimit, "media time runs though nothing is live") { [self] in
      offAirSince != since || !all.contains(where: \.clock.isRunning)
    }
  }

  func wait(for inbox: Inbox<ProcessEvent>, until deadline: MonotonicTime?) -> ProcessEvent? { nil }
}

extension SimulatedProcess {
  /// Recovers as a start does: decides what to resume and finishes the rest.
  func recover(policy: AfterCrash = .withinWindow) -> Recovery? {
    guard disk.isReadable else { return nil }
    let found = disk.unfinished().compactMap { _, file -> UnfinishedBroadcast? in
      let unfinished = UnfinishedBroadcast(Journal(file.bytes))
      if unfinished == nil { file.leave() } else { file.reopen() }
      return unfinished
    }
    let plan = Recovery(
      UnfinishedBroadcast.latestFirst(found, boot: host.instant.bootID), ends: disk.ends,
      lastWord: disk.lastWord,
      .init(now: host.instant, window: MediaTime(nanoseconds: settings.window), policy: policy))
    for broadcast in plan.finished { finish(broadcast, disk.journal(of: broadcast.id)) }
    world.note("program: resumes \(plan.resumed?.id ?? "nothing"), ends \(plan.finished.map(\.id))")
    if policy == .withinWindow { day.check(resumed: plan.resumed?.id) }
    return plan
  }

  func finish(_ unfinished: UnfinishedBroadcast, _ file: JournalFile) {
    day.truth(of: unfinished.id).overAt = world.now
    disk.recordings[unfinished.id]?.last?.finish()
    guard disk.takesLines else { return }
    file.endedAt = host.instant
    let line = JournalRecord(at: host.instant, .ended(.init(reason: "crash"))).description
    file.append(Array(line.utf8) + [0x0A], onDiskBy: world.now + .ms(10), isEnd: true)
  }
}
