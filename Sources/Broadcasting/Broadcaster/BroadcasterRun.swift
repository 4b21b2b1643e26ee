internal import HoldfastLifecycle
internal import HoldfastMediaModel
internal import HoldfastPlatform
internal import HoldfastRecording

/// What a broadcaster's thread does: it drives the machine, and the devices and broadcasts that the machine asks for.
struct BroadcasterRun {
  /// What it acts on.
  struct Surroundings {
    /// Opens the devices, and answers with this number.
    let open: (Int) -> Void
    let close: () -> Void
    let make: (Int, _ id: String, Feeds) -> Broadcast
    /// What another process has left is not gone on with.
    let giveUp: (BroadcastEvent.EndReason) -> Void
    let askGate: (Int, BroadcastInfo) -> Void
    let withdrawGate: () -> Void
    let observe: (Broadcast.Observation) -> Void
    let show: (Lifecycle.State, _ broadcast: String?) -> Void
    let showSession: (SessionTimer) -> Void
    let showGate: (BroadcastEvent.GateVerdict, String?) -> Void
    let muted: () -> Set<TrackKind>
    /// Answered with `switched`.
    let switchSource: (SourceChange, _ limit: MonotonicTime) -> Void
    let showChoices: (SourceChoices, _ new: SourceChange?) -> Void
    let finish: (Broadcast.Outcome) -> Void
  }

  /// A broadcast that has begun, and what is to be answered about it.
  private struct Running {
    let broadcast: Broadcast
    let begin: Int
    var pause: Int?
    var close: Int?
    var closedByGate = false
  }

  let surroundings: Surroundings
  var machine: Lifecycle
  private var timers: [Int: MonotonicTime] = [:]
  /// Events whose actions are not yet carried out; the first one's are just now.
  private var pending: [Lifecycle.Event] = []
  /// By their numbers, the newest with the highest; an older one may still be closing.
  private var running: [Int: Running] = [:]
  private var broadcasts = 0
  /// The one that comes next.
  private var nextID: String
  /// What another process has left is waiting for devices.
  private var isResumingAfterCrash = false
  private var switches: SourceSwitches
  /// Nil until devices have been open.
  var feeds: Feeds?
  /// Devices that could not be opened, and that this has been told of.
  var unopened: Set<TrackKind> = []
  /// Devices that are away.
  var lost: Set<TrackKind> = []
  /// How many times devices are being opened or closed.
  var changing = 0
  var preview: Preview?
  var session: SessionTimer
  /// What is left of the session of another process.
  private let sessionLeft: SessionTimer.Left?
  /// The gate has been asked, with this number.
  var asked: Int?
  /// Why the gate did not let the last broadcast pass.
  var gateError: GateError?
  private var cause = Gap.Cause.user
  /// Who waits until nothing is open any more.
  private var waiting: [@Sendable () -> Void] = []
  /// The last broadcast's.
  var failure: BroadcastError?

  /// `resumed` is what another process has left.
  init(
    _ configuration: Configuration, hasGate: Bool, resumed: ResumedBroadcast?, _ surroundings: Surroundings
  ) {
    machine = Lifecycle(configuration.lifecycleSettings(hasGate: hasGate))
    session = SessionTimer(configuration.sessionSettings)
    switches = SourceSwitches(configuration)
    sessionLeft = resumed?.sessionLeft(at: .now())
    nextID = resumed?.broadcast.id ?? Broadcast.newID()
    self.surroundings = surroundings
  }

  var isOver: Bool {
    if case .ended = machine.state { return running.isEmpty && changing == 0 }
    return false
  }

  var nextTimer: MonotonicTime? {
    (Array(timers.values) + [preview?.nextSnapshot, nextSessionLook].compactMap(\.self)).min()
  }

  mutating func fireTimers() {
    if let snapshot = preview?.snapshot(at: .now) { surroundings.observe(.snapshot(snapshot)) }
    lookAtSession()
    for (number, at) in timers.sorted(by: { $0.value < $1.value }) where at <= .now {
      guard timers.removeValue(forKey: number) != nil else { continue }
      if number == asked { gateTimedOut() }
      handle(.timerFired(number))
    }
  }

  mutating func handle(_ event: Broadcaster.Event) {
    switch event {
    case .asked(let event): handleAsked(event)
    case .request(let request, let limit): if .now <= limit { handle(request) }
    case .broadcast(let number, let answer): handle(answer, of: number)
    case .devices(let event): handle(event)
    case .told(let event):
      if case .mute = event { newestBroadcast?.journal?.muted(surroundings.muted()) }
      say(event)
    case .configured(let configuration):
      switches.configure(configuration)
      surroundings.showChoices(switches.choices, nil)
      machine.settings.resumeWindow = configuration.session.resumeWindow
      newest { $0.broadcast.post(.limitBitrate(configuration.bitrateLimits)) }
    case .switchSource(let change, let limit, let answer):
      guard .now <= limit, switches.begin(change, in: machine.state, answer: answer) else { break }
      surroundings.switchSource(change, limit)
    case .sending(let event): newestBroadcast?.post(.send(event))
    case .gateAnswered(let number, let error): gateAnswered(number, error)
    case .backgroundAsked(let atRest):
      waiting.append(atRest)
      handle(.wentToBackground)
    }
    callAtRest()
  }

  private mutating func handleAsked(_ event: Lifecycle.Event) {
    if event == .becameActive { waiting = [] }
    handle(event)
  }

  mutating func endSwitch(_ error: ChangeError?) {
    guard let (chosen, answer) = switches.end(error) else { return }
    if let chosen {
      surroundings.showChoices(switches.choices, chosen)
      say(.source(track: chosen.track, source: chosen.source))
    }
    answer(error)
  }

  private mutating func handle(_ request: Broadcaster.Request) {
    switch request {
    case .event(let event, let answer):
      handleAsked(event)
      answer(machine.state)
    case .extend(let more, let request, let answer): answer(extend(by: more, request: request))
    }
  }

  /// What an action leads to at once comes after all actions of its event.
  mutating func handle(_ event: Lifecycle.Event) {
    pending.append(event)
    guard pending.count == 1 else { return }
    while let next = pending.first {
      for action in machine.handle(next, at: .now) { perform(action) }
      if machine.isBetweenSessions { handle(.sessionEnded) }
      pending.removeFirst()
    }
  }

  private mutating func callAtRest() {
    switch machine.state {
    case .idle, .backgrounded, .ended: break
    case .previewing, .starting, .live, .interrupted, .ending: return
    }
    guard !waiting.isEmpty, machine.isAtRest, running.isEmpty, changing == 0 else { return }
    let calls = waiting
    waiting = []
    for call in calls { call() }
  }
}

// MARK: - What the machine wants

extension BroadcasterRun {
  private mutating func perform(_ action: Lifecycle.Action) {
    switch action {
    case .openDevices(let number):
      changing += 1
      surroundings.open(number)
    case .closeDevices:
      changing += 1
      surroundings.close()
    // It begins, paused, when there are devices.
    case .resumeAfterCrash:
      isResumingAfterCrash = true
      if let sessionLeft { handle(.resumedAfterCrash(sessionLeft)) }
    case .askGate(let number): askGate(number)
    case .withdrawGate: withdrawGate()
    case .abandon: break
    case .begin(let number): begin(number)
    case .goLive:
      let muted = surroundings.muted()
      if !muted.isEmpty { newestBroadcast?.journal?.muted(muted) }
      newest { $0.broadcast.post(.goLive) }
      handle(SessionTimer.Event.wentLive)
    case .pause(let number):
      handle(SessionTimer.Event.interrupted)
      newest {
        $0.pause = number
        $0.broadcast.post(.pause)
      }
    case .resume:
      handle(SessionTimer.Event.resumed)
      let cause = cause
      newest { $0.broadcast.post(.resume(after: cause)) }
    case .close(let number, let reason):
      // Else the session ends with its broadcast.
      if [.background, .windowClosed].contains(reason) { handle(SessionTimer.Event.interrupted) }
      close(number, reason)
    case .setTimer(let number, let delay): timers[number] = .now + delay
    case .cancelTimer(let number): timers[number] = nil
    case .tell(let state): tell(state)
    }
  }

  var newestBroadcast: Broadcast? { running.keys.max().flatMap { running[$0]?.broadcast } }

  private mutating func newest(_ change: (inout Running) -> Void) {
    guard let number = running.keys.max(), var one = running[number] else { return }
    change(&one)
    running[number] = one
  }

  private mutating func begin(_ number: Int) {
    guard let feeds else { return }
    broadcasts += 1
    let broadcast = surroundings.make(broadcasts, nextID, feeds)
    nextID = Broadcast.newID()
    running[broadcasts] = Running(broadcast: broadcast, begin: number)
    broadcast.start()
    surroundings.show(machine.state, broadcast.id)
  }

  /// Answers nothing: it goes on where it was left.
  mutating func resumeAfterCrash() {
    guard isResumingAfterCrash else { return }
    isResumingAfterCrash = false
    begin(0)
  }

  private mutating func close(_ number: Int, _ reason: Lifecycle.EndReason) {
    if isResumingAfterCrash {
      isResumingAfterCrash = false
      surroundings.giveUp(reason == .duration ? .duration : .crash)
      nextID = Broadcast.newID()
    }
    guard let newest = running.keys.max() else { return handle(.closed(number)) }
    running[newest]?.close = number
    running[newest]?.closedByGate = reason == .gateRefused || reason == .gateTimedOut
    // What is killed while it is being closed is not gone on with.
    running[newest]?.broadcast.journal?.backgrounded()
    running[newest]?.broadcast.post(.stop(BroadcastEvent.EndReason(reason)))
  }

  private mutating func tell(_ state: Lifecycle.State) {
    let id = broadcastID
    surroundings.show(state, id)
    preview = nil
    switch state {
    case .previewing:
      // What became of the last broadcast has been told.
      failure = nil
      say(.previewing)
      preview = feeds.map(Preview.init)
    case .starting: say(.starting)
    case .interrupted(let cause, let until):
      self.cause = Gap.Cause(cause)
      let wall = WallTime(nanoseconds: wallClockNanoseconds() + (until - .now).nanoseconds)
      let newest = running.keys.max().flatMap { running[$0] }
      // A crash is in the journal already; what is being closed has been told to end.
      if cause != .crash, let newest, newest.close == nil,
        newest.broadcast.post(.reportInterrupted(cause, until: wall))
      {
        break
      }
      say(.interrupted(cause: cause, resumableUntil: wall))
    case .backgrounded: say(.backgrounded)
    // The broadcast itself says what becomes of it.
    case .idle, .live, .ending, .ended: break
    }
  }

  /// The broadcast that there is, else the one that comes next: a start does not belong to one that is being closed.
  private var broadcastID: String {
    let newest = running.keys.max().flatMap { running[$0] }
    return switch machine.state {
    case .live, .interrupted, .backgrounded, .ending, .ended: newest?.broadcast.id ?? nextID
    case .starting: newest.flatMap { $0.close == nil ? $0.broadcast.id : nil } ?? nextID
    case .idle, .previewing: nextID
    }
  }

  func say(_ event: BroadcastEvent) {
    surroundings.observe(
      .event(
        EventLine(at: WallTime.now, broadcast: broadcastID, event: event)))
  }
}

// MARK: - What broadcasts tell

extension BroadcasterRun {
  private mutating func handle(_ answer: BroadcastAnswer, of number: Int) {
    if case .ended(let outcome) = answer { return end(number, outcome) }
    guard let one = running[number], number == running.keys.max() else { return }
    switch answer {
    case .attemptsDecided: handle(.firstAttemptsDecided(one.begin))
    case .paused: if let pause = one.pause { handle(.paused(pause)) }
    case .over(let reason):
      guard one.close == nil else { return }
      switch reason {
      case .duration: handle(.timeWasUp)
      case .sourceEnded: handle(.sourcesEnded)
      case .failed: handle(.failed)
      case .stopped, .background, .windowClosed, .interruptedStart, .crash, .gateRefused, .gateTimedOut: break
      }
    case .ended: break
    }
  }

  private mutating func end(_ number: Int, _ outcome: Broadcast.Outcome) {
    guard let one = running.removeValue(forKey: number) else { return }
    one.broadcast.join()
    failure = outcome.failure ?? (one.closedByGate ? gateError.map(BroadcastError.gate) : nil)
    surroundings.finish(outcome)
    if let close = one.close { handle(.closed(close)) }
  }
}

extension Gap.Cause {
  init(_ cause: Lifecycle.Cause) {
    switch cause {
    case .user: self = .user
    case .system: self = .system
    case .device: self = .device
    case .crash: self = .crash
    }
  }
}

extension BroadcastEvent.EndReason {
  init(_ reason: Lifecycle.EndReason) {
    switch reason {
    case .stopped: self = .stopped
    case .duration: self = .duration
    case .sourceEnded: self = .sourceEnded
    case .failed, .noDevice: self = .failed
    case .gateRefused: self = .gateRefused
    case .gateTimedOut: self = .gateTimedOut
    case .background: self = .background
    case .windowClosed: self = .windowClosed
    case .interruptedStart: self = .interruptedStart
    }
  }
}
