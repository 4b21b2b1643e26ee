package import HoldfastMediaModel

/// The lifecycle of one process: when it broadcasts, and what happens to an interrupted broadcast.
///
/// A value without a clock, a device or a thread: events go in, actions come out, and none of them blocks. An
/// action with an answer or a time limit has a number, which both repeat; outdated numbers are ignored.
package struct Lifecycle: Machine, Hashable {
  /// A change applies to what begins later.
  package var settings: Settings
  private(set) var phase = Phase.idle
  private(set) var devices = Devices.closed
  /// The current interruptions, the newest last.
  private(set) var causes: [Cause] = []
  private(set) var backgrounds: Set<Background> = []
  /// A broadcast returns to its preview when it ends.
  private(set) var hasPreview = false
  /// Devices have been open before, so a failed opening is retried; otherwise it ends the process's life.
  private(set) var expectsDevices = false
  /// The current broadcast has been live.
  private(set) var hasBeenLive = false
  /// The number of the pending close.
  private(set) var closing: Int?
  private var lastNumber = 0

  package init(_ settings: Settings = Settings()) { self.settings = settings }

  package var state: State { phase.state }

  package var isOver: Bool { phase.isOver }

  /// Nothing is open or being closed: the machine may sleep, the process may be stopped.
  package var isAtRest: Bool { devices == .closed && closing == nil }

  /// Nil unless it is the user who keeps the process off air.
  package var offAir: OffAir? {
    let isAway = phase == .backgrounded(.broadcast)
    if isAway, backgrounds.contains(.user) { return .backgrounded }
    return causes.contains(.user) && (isAway || phase.interruption != nil) ? .interrupted : nil
  }

  /// The gate that is being asked runs.
  package var gateHasBegun: Bool { phase.question?.hasBegun ?? false }

  /// The gate is being asked, or will be before the broadcast goes on air.
  package var isGateAhead: Bool {
    settings.hasGate && phase.isBeforeGate(asksOnResume: settings.asksGateOnResume)
  }

  /// No broadcast is in progress or requested; the next one begins another session.
  package var isBetweenSessions: Bool { phase.isBetweenSessions }

  package mutating func handle(_ event: Event, at now: MonotonicTime) -> [Action] {
    let before = state
    var actions = react(to: event, at: now)
    if let newest = causes.last { phase.interruption?.cause = newest }
    actions += advance()
    if state != before { actions.append(.report(state)) }
    return actions
  }

  private mutating func react(to event: Event, at now: MonotonicTime) -> [Action] {
    switch event {
    case .previewRequested: preview()
    case .command(.start): start(now)
    case .command(.interrupt): interrupt(.user, now)
    case .command(.resume): endInterruption(.user)
    case .command(.background): enterBackground(.user)
    case .command(.foreground): enterForeground()
    case .command(.end): end(.stopped)
    case .command(.stop): stop(.stopped)
    case .resumeAfterCrashRequested(let windowLeft, let isOffAir):
      resumeAfterCrash(windowLeft, isOffAir: isOffAir, now)
    case .offAirRequested(let offAir, let windowLeft): returnOffAir(offAir, windowLeft, now)
    case .devicesOpened(let number): devicesOpened(number)
    case .devicesFailed(let number): devicesFailed(number)
    case .prepared(let number): prepared(number)
    case .gateBegan(let number): gateBegan(number)
    case .gatePassed(let number):
      phase.question?.number == number ? [.cancelTimer(number)] + passGate() : []
    case .gateRefused(let number): phase.question?.number == number ? refuse() : []
    case .wentLive: wentLive()
    case .paused(let number): paused(number)
    case .nothingBegun(let number): nothingBegun(number)
    case .closed(let number): closed(number)
    // A timer that has fired is not cancelled.
    case .timerFired(let number): timedOut(number).filter { $0 != .cancelTimer(number) }
    case .interruptionBegan(let cause): interrupt(cause, now)
    case .interruptionEnded(let cause): endInterruption(cause)
    case .sleepBegan: enterBackground(.sleep)
    case .sleepEnded: wake()
    case .maxDurationReached: phase.hasBroadcast ? finish(.duration) : []
    case .sessionExpired: end(.duration)
    case .sharedSessionOver: end(.sessionOver)
    // Also stops a preview, which would have nothing left to show.
    case .sourcesEnded: devices == .open && phase.needsDevices ? stop(.sourceEnded) : []
    case .failed: phase.hasBroadcast ? finish(.failed) : []
    }
  }

  private mutating func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }
}

// MARK: - Start, interruption, background and end

extension Lifecycle {
  private mutating func preview() -> [Action] {
    guard phase == .idle else { return [] }
    hasPreview = true
    phase = .previewing
    return []
  }

  /// A start ends the user's own interruption; other causes may still block it.
  private mutating func start(_ now: MonotonicTime) -> [Action] {
    switch phase {
    case .idle, .previewing: phase = .starting
    case .backgrounded: phase = .backgrounded(.broadcast)
    case .starting, .preparing, .awaitingGate, .goingLive, .live, .pausing, .paused, .awaitingGateToResume,
      .startInterrupted, .ending, .ended:
      return []
    }
    causes.removeAll { $0 == .user }
    guard phase == .starting, let cause = causes.last else { return [] }
    return interruptStart(cause, now)
  }

  private mutating func resumeAfterCrash(
    _ windowLeft: MediaTime, isOffAir: Bool, _ now: MonotonicTime
  ) -> [Action] {
    guard phase == .idle || phase == .previewing, closing == nil else { return [] }
    (expectsDevices, hasBeenLive) = (true, true)
    if isOffAir { add(.user) }
    let interruption = Interruption(cause: .crash, resumableUntil: now + windowLeft, window: nextNumber())
    phase = .paused(interruption)
    return [.resumeAfterCrash, .setTimer(interruption.window, after: windowLeft)]
  }

  private mutating func returnOffAir(
    _ offAir: OffAir, _ windowLeft: MediaTime?, _ now: MonotonicTime
  ) -> [Action] {
    guard phase == .idle || phase == .previewing, closing == nil else { return [] }
    expectsDevices = true
    phase = .backgrounded(.broadcast)
    switch offAir {
    case .backgrounded: backgrounds.insert(.user)
    case .interrupted:
      add(.user)
      guard let windowLeft else { break }
      let interruption = Interruption(cause: .user, resumableUntil: now + windowLeft, window: nextNumber())
      phase = .startInterrupted(interruption)
      return [.setTimer(interruption.window, after: windowLeft)]
    }
    return []
  }

  /// A device interrupts only while devices are open; otherwise its absence shows when they are opened.
  private mutating func interrupt(_ cause: Cause, _ now: MonotonicTime) -> [Action] {
    guard !causes.contains(cause), cause != .device || devices == .open else { return [] }
    add(cause)
    switch phase {
    case .starting, .preparing, .awaitingGate: return interruptStart(cause, now)
    case .goingLive, .live: return pause(cause, now)
    case .idle, .previewing, .pausing, .paused, .awaitingGateToResume, .startInterrupted, .backgrounded,
      .ending, .ended:
      return []
    }
  }

  /// Whether there is anything to resume later, the broadcast answers.
  private mutating func pause(_ cause: Cause, _ now: MonotonicTime) -> [Action] {
    let cancelled = phase.timers.map { Action.cancelTimer($0) }
    let (number, interruption) = (nextNumber(), interruption(cause, now))
    phase = .pausing(interruption, number)
    return cancelled + [
      .pause(number), .setTimer(number, after: settings.drainTimeout),
      .setTimer(interruption.window, after: settings.resumeWindow),
    ]
  }

  private mutating func add(_ cause: Cause) { if !causes.contains(cause) { causes.append(cause) } }

  private mutating func interruptStart(_ cause: Cause, _ now: MonotonicTime) -> [Action] {
    let interruption = interruption(cause, now)
    return leave(.interruptedStart, for: .startInterrupted(interruption))
      + [.setTimer(interruption.window, after: settings.resumeWindow)]
  }

  private mutating func interruption(_ cause: Cause, _ now: MonotonicTime) -> Interruption {
    Interruption(cause: cause, resumableUntil: now + settings.resumeWindow, window: nextNumber())
  }

  private mutating func endInterruption(_ cause: Cause) -> [Action] {
    causes.removeAll { $0 == cause }
    return []
  }

  private mutating func enterBackground(_ reason: Background) -> [Action] {
    guard phase != .idle, !phase.isOver else { return [] }
    backgrounds.insert(reason)
    guard phase.isBetweenSessions else { return background(.background) }
    phase = .backgrounded(.preview)
    return []
  }

  /// Entering the foreground also ends the user's own interruption, even after the resume window has closed.
  private mutating func enterForeground() -> [Action] {
    guard !backgrounds.isEmpty || phase == .backgrounded(.broadcast) else { return [] }
    backgrounds = []
    return endInterruption(.user)
  }

  /// Whoever was off air before the sleep still is.
  private mutating func wake() -> [Action] {
    backgrounds.remove(.sleep)
    return []
  }

  /// Closes the broadcast, if any.
  private mutating func leave(_ reason: EndReason, for newPhase: Phase) -> [Action] {
    defer { phase = newPhase }
    var actions = phase.timers.map { Action.cancelTimer($0) }
    if phase.question != nil { actions.append(.cancelGate) }
    guard phase.hasBroadcast else { return actions }
    let number = nextNumber()
    (closing, hasBeenLive) = (number, false)
    return actions + [.close(number, reason), .setTimer(number, after: settings.drainTimeout)]
  }

  /// Ends the broadcast for good; a return begins a new one.
  private mutating func background(_ reason: EndReason) -> [Action] {
    leave(reason, for: .backgrounded(.broadcast))
  }

  private mutating func end(_ reason: EndReason) -> [Action] {
    phase == .idle || phase.isInSession ? finish(reason) : []
  }

  /// Ends the broadcast; returns to the preview if there was one, else stops.
  private mutating func finish(_ reason: EndReason) -> [Action] {
    hasPreview
      ? leave(reason, for: backgrounds.isEmpty ? .previewing : .backgrounded(.preview)) : stop(reason)
  }

  private mutating func stop(_ reason: EndReason) -> [Action] {
    phase.isOver ? [] : leave(reason, for: .ending(reason))
  }
}

// MARK: - Answers, timers, and the transitions that they make possible

extension Lifecycle {
  private mutating func devicesOpened(_ number: Int) -> [Action] {
    guard devices == .opening(number) else { return [] }
    devices = .open
    expectsDevices = true
    return []
  }

  private mutating func devicesFailed(_ number: Int) -> [Action] {
    guard devices == .opening(number) else { return [] }
    guard expectsDevices || settings.waitsForDevices else {
      devices = .closed
      return stop(.noDevice)
    }
    let timer = nextNumber()
    devices = .waiting(timer)
    return [.setTimer(timer, after: settings.deviceRetryDelay)]
  }

  private mutating func prepared(_ number: Int) -> [Action] {
    guard phase == .preparing(number) else { return [] }
    return [.cancelTimer(number)] + askGate { .awaitingGate(Question(number: $0)) }
  }

  private mutating func askGate(_ newPhase: (Int) -> Phase) -> [Action] {
    let number = nextNumber()
    phase = newPhase(number)
    return [.askGate(number), .setTimer(number, after: settings.gateTimeout)]
  }

  private mutating func gateBegan(_ number: Int) -> [Action] {
    if phase.question?.number == number { phase.question?.hasBegun = true }
    return []
  }

  private mutating func passGate() -> [Action] {
    let actions: [Action] = phase.interruption.map { [.cancelTimer($0.window), .resume] } ?? [.goLive]
    guard !hasBeenLive else {
      phase = .live
      return actions
    }
    let timer = settings.startTimeout.map { (nextNumber(), $0) }
    phase = .goingLive(timer: timer?.0)
    return actions + (timer.map { [.setTimer($0, after: $1)] } ?? [])
  }

  /// A broadcast may go live while it is being interrupted.
  private mutating func wentLive() -> [Action] {
    guard phase.hasBroadcast else { return [] }
    hasBeenLive = true
    guard case .goingLive(let timer) = phase else { return [] }
    phase = .live
    return timer.map { [.cancelTimer($0)] } ?? []
  }

  /// The gate has answered, so there is no question to cancel.
  private mutating func refuse() -> [Action] { finish(.gateRefused).filter { $0 != .cancelGate } }

  private mutating func paused(_ number: Int) -> [Action] {
    guard case .pausing(let interruption, number) = phase else { return [] }
    phase = .paused(interruption)
    return [.cancelTimer(number)]
  }

  /// The return starts from the beginning.
  private mutating func nothingBegun(_ number: Int) -> [Action] {
    guard case .pausing(let interruption, number) = phase else { return [] }
    return leave(.interruptedStart, for: .startInterrupted(interruption)).filter {
      $0 != .cancelTimer(interruption.window)
    }
  }

  private mutating func closed(_ number: Int) -> [Action] {
    guard closing == number else { return [] }
    closing = nil
    return [.cancelTimer(number)]
  }

  private mutating func timedOut(_ number: Int) -> [Action] {
    if devices == .waiting(number) { devices = .closed }
    if phase.interruption?.window == number { return background(.windowClosed) }
    guard let question = phase.question, question.number == number else {
      if phase == .goingLive(timer: number) { return finish(.startTimedOut) }
      return prepared(number) + paused(number) + closed(number)
    }
    guard question.hasBegun else { return finish(.gateNotBegun) }
    return settings.passesOnGateTimeout ? [.cancelGate] + passGate() : finish(.gateTimedOut)
  }

  /// Performs the transitions that an event has made possible.
  private mutating func advance() -> [Action] {
    let actions = closeDevices()
    if case .backgrounded(let goal) = phase, backgrounds.isEmpty {
      switch goal {
      case .preview: phase = .previewing
      case .broadcast: if causes.isEmpty { phase = .starting }
      }
    }
    return actions + openDevices() + proceed()
  }

  private mutating func openDevices() -> [Action] {
    guard phase.needsDevices, devices == .closed else { return [] }
    let number = nextNumber()
    devices = .opening(number)
    return [.openDevices(number)]
  }

  /// Devices stay open until the broadcast is closed.
  private mutating func closeDevices() -> [Action] {
    guard !phase.needsDevices, closing == nil else { return [] }
    // Whether they are present shows at the next opening.
    causes.removeAll { $0 == .device }
    defer { devices = .closed }
    return devices.closing
  }

  private mutating func proceed() -> [Action] {
    switch phase {
    case .startInterrupted(let interruption) where causes.isEmpty:
      phase = .starting
      return [.cancelTimer(interruption.window)] + proceed()
    case .starting where devices == .open && closing == nil:
      guard settings.hasGate else { return [.openBroadcast] + passGate() }
      let number = nextNumber()
      phase = .preparing(number)
      return [.openBroadcast, .prepare(number), .setTimer(number, after: settings.firstAttemptTimeout)]
    case .paused(let interruption) where causes.isEmpty && devices == .open:
      guard settings.hasGate, settings.asksGateOnResume else { return passGate() }
      return askGate { .awaitingGateToResume(interruption, Question(number: $0)) }
    case .awaitingGateToResume(let interruption, let question) where !causes.isEmpty || devices != .open:
      phase = .paused(interruption)
      return [.cancelTimer(question.number), .cancelGate]
    case .ending(let reason) where isAtRest:
      phase = .ended(reason)
      return []
    case .idle, .previewing, .starting, .preparing, .awaitingGate, .goingLive, .live, .pausing, .paused,
      .awaitingGateToResume, .startInterrupted, .backgrounded, .ending, .ended:
      return []
    }
  }
}
