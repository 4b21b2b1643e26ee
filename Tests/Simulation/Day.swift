internal import HoldfastLifecycle
internal import HoldfastMediaModel

/// A day in a broadcaster's life: a process, a supervisor that starts it again, and everything that befalls them.
package final class Day {
  let surroundings: Surroundings
  private(set) var process: SimulatedProcess?
  /// All that there have been.
  private var processes: [SimulatedProcess] = []
  /// Nobody starts it again by himself.
  private var isWanted = true
  private var starts = 0
  /// The machine has no power, or nobody wants it.
  private var restsUntil: Int64 = 0
  /// What a start is expected to do about the broadcast before.
  private var left: (truth: Truth, at: Int64, slack: Int64, boot: Int, isReadable: Bool)?
  /// The disk held what would tell.
  private var isLeftKnown = true
  package private(set) var figures = Figures()

  /// What a day had in it.
  package struct Figures: Hashable, Sendable {
    package var broadcasts = 0
    package var stretches = 0
    package var resumed = 0
    package var crashes = 0
    package var events = 0
    /// What was lost on the way when a process came to its sudden end, and is named nowhere.
    package var forgotten: Int64 = 0
    package var onAir: Int64 = 0

    package init() {}
  }

  static let length: Int64 = .hours(24)
  /// Nothing bad happens any more.
  private static let calmAt: Int64 = .hours(23)
  /// Within this time everything has to be as it should.
  private static let healing: Int64 = .s(90)

  package init(seed: UInt64, isLogged: Bool = false) {
    surroundings = Surroundings(seed: seed, isLogged: isLogged)
  }

  var world: World { surroundings.world }
  var host: Host { surroundings.host }
  package var problems: [String] { world.problems }
  package var log: [String] { world.log }

  package func run() {
    world.note("\(surroundings.settings)")
    surroundings.lookAfterProcess = { [weak self] in self?.lookAfterProcess() }
    surroundings.didRecover = { [weak self] in self?.check(resumed: $0) }
    start()
    Faults(self, until: Self.calmAt).begin()
    world.run(until: Self.calmAt)
    calm()
    world.run(until: Self.calmAt + Self.healing)
    if world.problems.isEmpty { expectHealth() }
    isWanted = false
    process?.ask(.command(.stop))
    world.run(until: Self.calmAt + Self.healing + .s(10))
    world.expect(process == nil, "a stop does not end it")
    // The next start ends what nobody has gone on with.
    _ = SimulatedProcess(surroundings).recover(mayResume: false)
    if world.problems.isEmpty { Verdict(surroundings).check() }
    count()
    for process in processes { process.release() }
    host.end()
    world.end()
  }

  private func count() {
    figures.broadcasts = surroundings.truths.count(where: { !$0.stretches.isEmpty })
    for truth in surroundings.truths {
      figures.stretches += truth.stretches.count
      figures.crashes += truth.crashes.count
      figures.onAir += truth.onAir.total
      for endpoint in surroundings.endpoints {
        figures.forgotten += truth.forgotten[endpoint.id]?.intersection(truth.onAir).total ?? 0
      }
    }
    figures.events = world.events
  }

  // MARK: The supervisor

  private func start() {
    guard process == nil, isWanted else { return }
    starts += 1
    surroundings.holds.processBegan(at: world.now)
    world.note("the program is started")
    let process = SimulatedProcess(surroundings)
    self.process = process
    processes.append(process)
    process.start()
  }

  private func start(after delay: Int64) {
    let number = starts
    world.after(delay) { [self] in
      guard starts == number else { return }
      guard !host.isAsleep, world.now >= restsUntil else {
        return start(after: max(.s(1), restsUntil - world.now))
      }
      start()
    }
  }

  private func lookAfterProcess() {
    guard let process, process.isOver else { return }
    world.expect(process.connections.isEmpty, "ended with an open connection")
    world.note("the program ends")
    // What the disk would not take to the last is lost.
    if !surroundings.disk.takesLines {
      for truth in surroundings.truthsOfUnfinished() {
        truth.crash(sudden(forgets: .ms(1100), transitions: 0))
      }
    }
    left = nil
    isLeftKnown = surroundings.disk.takesLines
    end(isSilent: false)
    start(after: isWanted ? .s(5) : .minutes(1))
  }

  private func end(isSilent: Bool) {
    process?.vanish(isSilent: isSilent)
    process = nil
    surroundings.holds.processEnded(at: world.now)
  }

  /// Asked to stop by somebody who wants it again later.
  func stop(for length: Int64) {
    restsUntil = max(restsUntil, world.now + length)
    process?.ask(.command(.stop))
  }

  func kill(restartAfter delay: Int64) {
    guard process != nil else { return }
    world.note("SIGKILL")
    crash(isSilent: false, forgets: .ms(1100))
    start(after: delay)
  }

  func cutPower(for length: Int64) {
    world.note("power cut")
    let writeBack = JournalKeeper.writeBack
    crash(isSilent: true, forgets: writeBack + .ms(1100))
    surroundings.disk.loseUnwritten(since: world.now - writeBack, &world.randomness)
    host.reboot()
    restsUntil = max(restsUntil, world.now + length)
    start(after: length)
  }

  private func sudden(forgets: Int64, transitions: Int64) -> Truth.Crash {
    let disk = surroundings.disk
    let since = disk.takesLines ? world.now : disk.trouble.since ?? world.now
    return Truth.Crash(
      at: world.now, lostSince: since - forgets,
      transitionsLostSince: disk.takesLines ? world.now - transitions : since)
  }

  private func crash(isSilent: Bool, forgets: Int64) {
    let disk = surroundings.disk
    let crash = sudden(forgets: forgets, transitions: isSilent ? .ms(20) : 0)
    let hadProcess = process != nil
    let isResumptionPending = process?.isResumptionPending ?? false
    let one = process?.newest?.truth
    let affected = surroundings.truthsOfUnfinished()
    end(isSilent: isSilent)
    for truth in affected { truth.crash(crash) }
    // What the process before had left may be lost now, too.
    guard hadProcess else {
      left?.isReadable = false
      return
    }
    // It has been taken up, and nothing has come of that.
    guard !isResumptionPending else {
      isLeftKnown = left != nil
      return
    }
    guard let one, one.isLive, one.closedAt == nil else {
      left = nil
      let isForgotten = one?.closedAt.map { one?.mayHaveForgotten(transition: $0) ?? false } ?? false
      isLeftKnown = disk.takesLines && !isForgotten
      return
    }
    left = (one, one.heldSince ?? world.now, forgets, host.boot, disk.takesLines)
  }

  /// Whether a start took up the broadcast that it should have, and no other.
  private func check(resumed: String?) {
    if resumed != nil { figures.resumed += 1 }
    guard isLeftKnown else {
      isLeftKnown = true
      left = nil
      return
    }
    guard let left else { return world.expect(resumed == nil, "takes up \(resumed ?? "")") }
    if resumed == nil { self.left = nil }
    // Across a boot only the wall clock tells, which somebody may have set.
    let isSure = host.boot == left.boot || host.wallSteps.isEmpty
    guard left.isReadable, surroundings.disk.isReadable, isSure else { return }
    let passed = world.now - left.at
    let window = surroundings.settings.window
    if passed < window - left.slack {
      world.expect(resumed == left.truth.id, "does not take up \(left.truth.id)")
    }
    if passed > window + left.slack { world.expect(resumed == nil, "takes up \(left.truth.id) too late") }
  }

  // MARK: The end

  private func calm() {
    world.note("from now on nothing bad happens")
    surroundings.settings.duration = nil
    surroundings.settings.maxDuration = nil
    process?.extend(by: .hours(2))
    if surroundings.settings.gate != .none { surroundings.settings.gate = .passes }
    host.wake()
    surroundings.disk.set(.good)
    for track in TrackKind.allCases { surroundings.devices.set(track, isPresent: true) }
    for endpoint in surroundings.endpoints {
      endpoint.hold = 0
      endpoint.change { $0 = Endpoint.Condition() }
    }
    process?.networkChanged()
    surroundings.holds.lock(false, at: world.now)
    restsUntil = 0
    start()
    for event: Lifecycle.Event in [
      .interruptionEnded(.system), .command(.resume), .command(.foreground), .command(.start),
    ] {
      process?.ask(event)
    }
  }

  private func expectHealth() {
    guard let process, let broadcast = process.newest else {
      return world.expect(false, "nothing is broadcast")
    }
    world.expect(process.state == .live, "\(process.state), though nothing stands in the way")
    world.expect(broadcast.clock.isRunning, "media time stands still, though nothing stands in the way")
    for output in broadcast.outputs where !output.endpoint.refused.contains(broadcast.id) {
      world.expect(
        output.isHealthy, "\(output.endpoint.id) does not publish: \(String(describing: output.condition))")
    }
  }
}
