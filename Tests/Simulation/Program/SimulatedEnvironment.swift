internal import HoldfastBroadcasting
internal import HoldfastLifecycle
internal import HoldfastMediaModel
internal import HoldfastPlatform
internal import HoldfastRecording

/// What the real driver acts on in a simulated life, and what it may never ask of it.
final class SimulatedEnvironment: BroadcasterEnvironment {
  private unowned let process: SimulatedProcess
  let sources: SimulatedSources
  private var status: BroadcasterStatus?
  var state: Lifecycle.State { status?.state ?? .idle }
  /// What a crash has left, until a broadcast goes on with it.
  private(set) var resumed: UnfinishedBroadcast?
  private var broadcasts: [Int: SimulatedBroadcast] = [:]
  private var asked: (number: Int, broadcast: Int, at: MonotonicTime)? {
    didSet { process.surroundings.holds.ask(asked != nil, at: world.now) }
  }
  private var answeredAt: Int64?
  /// The broadcast that the gate has let pass since it was asked last.
  private var passed: Int?
  /// Since when no broadcast may be live.
  private var offAirSince: Int64?

  /// What was captured before an interruption may be held for so long.
  private static let holdLimit: Int64 = .s(3)

  init(_ process: SimulatedProcess, resuming resumed: UnfinishedBroadcast?) {
    self.process = process
    self.resumed = resumed
    sources = SimulatedSources(process)
  }

  private var world: World { process.world }
  private var settings: Settings { process.settings }
  var all: [SimulatedBroadcast] { broadcasts.keys.sorted().compactMap { broadcasts[$0] } }

  func expectOffAir() {
    guard let offAirSince, world.now - offAirSince > Self.holdLimit else { return }
    world.expect(!all.contains(where: \.clock.isRunning), "media time runs though it is \(state)")
  }

  func expectAtRest() {
    world.expect(!sources.areNeeded, "ended with open devices")
    world.expect(asked == nil, "ended while the gate is asked")
    world.expect(broadcasts.isEmpty, "ended with a broadcast")
  }

  // MARK: Sources

  func openSources(_ number: Int) { sources.open(number) }
  func closeSources() { sources.close() }
  func switchSource(_ change: SourceChange, until limit: MonotonicTime) {}
  func keep(_ change: SourceChange) {}
  func preview(_ isOn: Bool) {
    world.expect(!isOn || state == .previewing, "previews while it is \(state)")
  }

  // MARK: Broadcasts

  func makeBroadcastID() -> String { process.surroundings.makeBroadcastID() }

  func begin(_ number: Int, id: String) {
    world.note("program: \(id) begins")
    world.expect(sources.isOpen, "\(id) begins without devices")
    world.expect(all.allSatisfy { $0.truth.closedAt != nil }, "two broadcasts at once")
    let unfinished = resumed
    resumed = nil
    world.expect(unfinished.map { $0.id == id } ?? true, "\(id) begins though another one is to be resumed")
    let surroundings = process.surroundings
    let truth = unfinished == nil ? surroundings.makeTruth(id) : surroundings.truth(of: id)
    let broadcast = SimulatedBroadcast(process, id: id, truth: truth, resumed: unfinished)
    broadcasts[number] = broadcast
    broadcast.post(.started)
  }

  func post(_ request: BroadcastRequest, to number: Int) -> Bool {
    guard let broadcast = broadcasts[number] else {
      world.expect(false, "\(request) to a broadcast that is over")
      return false
    }
    world.note("program: \(request) to \(broadcast.id)")
    switch request {
    case .goLive:
      world.expect(settings.gate == .none || passed == number, "\(broadcast.id) is live without the gate")
      process.surroundings.session.begin(settings.maxDuration, at: world.now)
    case .resume:
      let needsGate = settings.gate != .none && settings.asksGateAgain
      world.expect(!needsGate || passed == number, "\(broadcast.id) goes on without the gate")
      passed = nil
    case .pause: broadcast.truth.isHeldAnew(at: world.now)
    case .stop: broadcast.truth.closedAt = world.now
    case .reportInterrupted, .limitBitrate, .send: break
    }
    process.after(0) { broadcast.post(.request(request)) }
    return true
  }

  func write(_ entry: JournalEntry, toJournalOf number: Int) {
    guard let broadcast = broadcasts[number] else { return world.expect(false, "no journal for \(entry)") }
    broadcast.journal.write(entry)
    if case .session = entry { process.surroundings.session.isJournaled(at: world.now) }
  }

  func answered(_ answer: BroadcastAnswer, by broadcast: SimulatedBroadcast) {
    guard let number = broadcasts.first(where: { $0.value === broadcast })?.key else { return }
    process.post(.broadcast(number, answer))
  }

  func release(_ broadcast: Int, _ outcome: Broadcast.Outcome) {
    world.expect(broadcasts.removeValue(forKey: broadcast) != nil, "releases a broadcast twice")
  }

  func discardInterrupted(_ reason: BroadcastEvent.EndReason) {
    guard let unfinished = resumed else { return world.expect(false, "discards nothing") }
    resumed = nil
    process.finish(unfinished, process.disk.journal(of: unfinished.id))
  }

  // MARK: The gate

  func askGate(_ number: Int, about broadcast: Int, _ occasion: BroadcastInfo.Occasion) {
    world.expect(asked == nil, "asks two gates")
    asked = (number, broadcast, process.host.clock)
    passed = nil
    guard settings.gate != .silent || process.randomness.chance(70) else { return }
    let isEasy = settings.gate == .passes
    let isPassed = isEasy || process.randomness.chance(80)
    process.after(process.randomness.length(.ms(20), isEasy ? .s(3) : .s(8))) { [self] in
      guard asked?.number == number else { return }
      asked = nil
      answeredAt = world.now
      passed = isPassed ? broadcast : nil
      process.post(.gateAnswered(number, isPassed ? nil : GateError(.refused)))
    }
  }

  func withdrawGate() {
    guard let asked else {
      return world.expect(answeredAt == world.now, "withdraws a gate that was not asked")
    }
    let isSilent = process.host.clock - asked.at >= settings.configuration.session.gate.timeout
    if isSilent, settings.passesSilentGate { passed = asked.broadcast }
    self.asked = nil
  }

  // MARK: What others see

  func report(_ observation: Broadcast.Observation) {
    guard case .event(let line) = observation else { return }
    world.note("program says: \(line.event)")
    if case .timer(let news, let status) = line.event {
      process.surroundings.session.told(news, status, process.surroundings)
    }
  }

  func publish(_ status: BroadcasterStatus) {
    defer { self.status = status }
    guard status.state != state else { return }
    if status.state == .live {
      offAirSince = nil
    } else if state == .live {
      offAirSince = world.now
    }
    switch status.state {
    // It is previewed before it is resumed, too.
    case .previewing where resumed != nil: break
    case .idle, .previewing, .ended: process.surroundings.session.end(at: world.now)
    case .starting, .live, .interrupted, .backgrounded, .ending: break
    }
  }

  /// Virtual time never blocks: the process hands the events over.
  func wait(for inbox: Inbox<BroadcasterEvent>, until deadline: MonotonicTime?) -> BroadcasterEvent? { nil }
}
