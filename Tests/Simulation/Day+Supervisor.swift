import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastRecording
import TestVirtualTime

struct Supervisor {
  var isOn = true
  /// No restarts until then: a power failure, or a stop.
  var restsUntil: Int64 = 0
  fileprivate var starts = 0
  fileprivate(set) var resumptions = 0
  /// The broadcast that the next start is expected to resume.
  fileprivate var left: (truth: Truth, at: Int64, slack: Int64, boot: Int, isReadable: Bool)?
  /// Whether `left` is certain: the disk accepted the relevant entries.
  fileprivate var isLeftKnown = true
  /// How the user kept the last process off air; unknown if the disk did not accept it.
  fileprivate var offAir: OffAirRecord??
}

extension Day {
  func start() {
    guard process == nil, supervisor.isOn else { return }
    supervisor.starts += 1
    world.note("the program is started")
    let process = SimulatedProcess(self)
    self.process = process
    process.start()
  }

  private func start(after delay: Int64) {
    let number = supervisor.starts
    world.after(delay) { [self] in
      guard supervisor.starts == number else { return }
      guard !host.isAsleep, world.now >= supervisor.restsUntil else {
        return start(after: max(.s(1), supervisor.restsUntil - world.now))
      }
      start()
    }
  }

  func processEnded() {
    guard let process, process.isOver else { return }
    world.expect(process.connections.isEmpty, "ended with an open connection")
    world.note("the program ends")
    // Entries that the disk did not accept before the end are lost.
    if !disk.takesLines {
      for truth in truthsOfUnfinished() { truth.crash(sudden(forgets: .ms(1100), transitions: 0)) }
    }
    supervisor.left = nil
    supervisor.isLeftKnown = disk.takesLines
    supervisor.offAir = disk.isOffAirSure ? .some(nil) : nil
    endProcess(isSilent: false)
    start(after: supervisor.isOn ? .s(5) : .minutes(1))
  }

  private func endProcess(isSilent: Bool) {
    process?.vanish(isSilent: isSilent)
    process = nil
    holds.processEnded(at: world.now)
  }

  func stop(for length: Int64) {
    supervisor.restsUntil = max(supervisor.restsUntil, world.now + length)
    process?.request(.command(.stop))
  }

  func kill(restartAfter delay: Int64) {
    guard process != nil else { return }
    world.note("SIGKILL")
    crash(isSilent: false, forgets: .ms(1100))
    start(after: delay)
  }

  func cutPower(for length: Int64) {
    world.note("power cut")
    crash(isSilent: true, forgets: JournalKeeper.writeBack + .ms(1100))
    disk.loseUnwritten()
    host.reboot()
    supervisor.restsUntil = max(supervisor.restsUntil, world.now + length)
    start(after: length)
  }

  private func sudden(forgets: Int64, transitions: Int64) -> Truth.Crash {
    let since = disk.takesLines ? world.now : disk.trouble.since ?? world.now
    return Truth.Crash(
      at: world.now, lostSince: since - forgets,
      transitionsLostSince: disk.takesLines ? world.now - transitions : since)
  }

  private func crash(isSilent: Bool, forgets: Int64) {
    let crash = sudden(forgets: forgets, transitions: isSilent ? .ms(20) : 0)
    let hadProcess = process != nil
    let isResumptionPending = process?.isResumptionPending ?? false
    let newest = process?.newest?.truth
    if let process { supervisor.offAir = disk.isOffAirSure ? .some(process.offAir) : nil }
    let affected = truthsOfUnfinished()
    endProcess(isSilent: isSilent)
    for truth in affected { truth.crash(crash) }
    guard hadProcess else {
      supervisor.left?.isReadable = false
      return
    }
    // The process crashed again before it resumed the broadcast.
    guard !isResumptionPending else {
      supervisor.isLeftKnown = supervisor.left != nil
      return
    }
    guard let newest, newest.isLive, newest.closedAt == nil else {
      supervisor.left = nil
      let isForgotten = newest?.closedAt.map { newest?.mayHaveForgotten(transition: $0) ?? false } ?? false
      supervisor.isLeftKnown = disk.takesLines && !isForgotten
      return
    }
    supervisor.left = (newest, newest.heldSince ?? world.now, forgets, host.boot, disk.takesLines)
  }

  /// Nobody who was off air is put on air by a crash or a reboot.
  func check(offAir: OffAirRecord?) {
    if let expected = supervisor.offAir, disk.isReadable {
      world.expect(offAir == expected, "comes back off air as \(String(describing: offAir))")
    }
    holds.processBegan(offAir, at: world.now)
  }

  func check(resumed: String?) {
    if resumed != nil { supervisor.resumptions += 1 }
    guard supervisor.isLeftKnown else {
      supervisor.isLeftKnown = true
      supervisor.left = nil
      return
    }
    guard let left = supervisor.left else { return world.expect(resumed == nil, "resumes \(resumed ?? "")") }
    if resumed == nil { supervisor.left = nil }
    // After a reboot the age depends on the wall clock, which may have been set.
    let isSure = host.boot == left.boot || host.wallSteps.isEmpty
    guard left.isReadable, disk.isReadable, isSure else { return }
    let passed = world.now - left.at
    let window = settings.window
    if passed < window - left.slack {
      world.expect(resumed == left.truth.id, "does not resume \(left.truth.id)")
    }
    if passed > window + left.slack { world.expect(resumed == nil, "resumes \(left.truth.id) too late") }
  }
}
