package import HoldfastLifecycle
package import HoldfastMediaModel
package import HoldfastPlatform
internal import HoldfastPublishing
internal import HoldfastRecording

/// Carries out what the life of one process decides: its sources, its broadcasts, one after another, and its session.
package struct BroadcasterDriver<Environment: BroadcasterEnvironment>: Driver {
  /// A broadcast that has begun, and what is to be answered about it.
  private struct Running {
    enum Stage {
      case beginning(Int)
      case onAir
      case pausing(Int)
      case closing(Int, isRefused: Bool)
    }

    let id: String
    var stage: Stage

    /// Nil unless it is being closed.
    var closing: Int? { if case .closing(let number, _) = stage { number } else { nil } }
  }

  package var environment: Environment
  package private(set) var machine: Lifecycle
  private var session: SessionTimer
  private let hasPreview: Bool
  private var timers = Timers()
  /// When what is being handled has happened.
  private(set) var now: Instant
  /// Events whose actions are not yet carried out; the first one's are just now.
  private var pending: [Lifecycle.Event] = []
  /// By their numbers, the newest with the highest; an older one may still be closing.
  private var running: [Int: Running] = [:]
  private var broadcasts = 0
  /// The one that comes next.
  private var nextID: String
  /// Of what a crash has left.
  private let resumption: Resumption?
  /// What a crash has left is waiting for its sources.
  private var isResumingAfterCrash = false
  /// Nil until they have been open.
  var tracks: OpenTracks?
  /// Tracks that could not be opened, and that this has been reported of.
  var unopened: Set<TrackKind> = []
  /// Tracks whose device is away.
  var lost: Set<TrackKind> = []
  /// How many times sources are being opened or closed.
  var changing = 0
  var switches: SourceSwitches
  private var muted: Set<TrackKind> = []
  /// The gate has been asked, with this number.
  private var asked: Int?
  /// Why the gate did not let the last broadcast pass.
  private var gateError: GateError?
  private var cause = Gap.Cause.user
  /// Who waits until nothing is open any more.
  private var waiting: [@Sendable () -> Void] = []
  package var status: BroadcasterStatus {
    didSet { environment.publish(status) }
  }

  /// `resumption` is of what another process has left.
  package init(
    _ configuration: Configuration, hasGate: Bool, resuming resumption: Resumption?,
    _ environment: Environment, at now: Instant
  ) {
    var environment = environment
    nextID = resumption?.id ?? environment.makeBroadcastID()
    self.environment = environment
    self.now = now
    self.resumption = resumption
    machine = Lifecycle(configuration.lifecycleSettings(hasGate: hasGate))
    session = SessionTimer(configuration.sessionSettings)
    switches = SourceSwitches(configuration)
    status = BroadcasterStatus(choices: switches.choices)
    hasPreview = configuration.session.preview
  }

  package var isFinished: Bool {
    if case .ended = machine.state { return running.isEmpty && changing == 0 }
    return false
  }

  /// The clock that timers go by stands still while the machine sleeps, and the session's does not: `wait` has to look
  /// more often than this says.
  package var nextDeadline: MonotonicTime? {
    let look = isFinished ? nil : session.nextLook(after: now.sinceBoot)
    let delay = look.map { max(.zero, $0 - now.sinceBoot) }
    return [timers.next, delay.map { now.monotonic + $0 }].compactMap(\.self).min()
  }

  package mutating func wait(
    for inbox: Inbox<BroadcasterEvent>, until deadline: MonotonicTime?
  ) -> BroadcasterEvent? {
    environment.wait(for: inbox, until: deadline)
  }

  /// Begins what is configured; with a cause it is interrupted from the start.
  package mutating func start(interruptedBy cause: Lifecycle.Cause? = nil) {
    if let cause { handle(.interruptionBegan(cause)) }
    if hasPreview { handle(.previewRequested) }
    if let resumption {
      handle(.resumeAfterCrashRequested(windowLeft: resumption.windowLeft))
    } else if !hasPreview {
      handle(.command(.start))
    }
  }

  package mutating func fireTimers(at now: Instant) {
    self.now = now
    if let look = session.nextLook(after: now.sinceBoot), look <= now.sinceBoot { handle(.timePassed) }
    while let number = timers.takeDue(at: now.monotonic) {
      if number == asked { gateTimedOut() }
      handle(.timerFired(number))
    }
  }

  package mutating func handle(_ event: BroadcasterEvent, at now: Instant) {
    self.now = now
    switch event {
    case .lifecycle(let event): request(event)
    case .command(let command, let limit, let answer):
      guard now.monotonic <= limit else { return }
      let refusal = machine.state.refusal(of: command)
      if refusal == nil { request(.command(command)) }
      answer(refusal.map { .refused($0, machine.state) } ?? .accepted(machine.state))
    case .extend(let more, let request, let limit, let answer):
      if now.monotonic <= limit { answer(extend(by: more, request: request)) }
    case .background(let atRest):
      waiting.append(atRest)
      handle(.command(.background))
    case .opened(let number, let tracks): opened(number, tracks)
    case .failed(let number, let error): failed(number, error)
    case .closed:
      changing -= 1
      lost = []
    case .source(let event): handle(event)
    case .switchSource(let change, let limit, let answer):
      if now.monotonic <= limit, switches.begin(change, in: machine.state, answer: answer) {
        environment.switchSource(change, until: limit)
      }
    case .switched(let error): endSwitch(error)
    case .broadcast(let number, let answer): handle(answer, of: number)
    case .gateAnswered(let number, let error): gateAnswered(number, error)
    case .changed(let event): changed(event)
    case .configured(let configuration):
      switches.configure(configuration)
      status.choices = switches.choices
      machine.settings.resumeWindow = configuration.session.resumeWindow
      post(.limitBitrate(configuration.bitrateLimits))
    case .send(let event): post(.send(event))
    }
    callAtRest()
  }

  private mutating func request(_ event: Lifecycle.Event) {
    if event == .command(.foreground) { waiting = [] }
    handle(event)
  }

  private mutating func changed(_ event: BroadcastEvent) {
    if case .mute(let track, let isMuted) = event {
      if isMuted { muted.insert(track) } else { muted.remove(track) }
      write(.muted(muted))
    }
    say(event)
  }

  /// What an action leads to at once comes after all actions of its event.
  mutating func handle(_ event: Lifecycle.Event) {
    pending.append(event)
    guard pending.count == 1 else { return }
    while let next = pending.first {
      for action in machine.handle(next, at: now.monotonic) { perform(action) }
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

// MARK: - What the machine asks for

extension BroadcasterDriver {
  private mutating func perform(_ action: Lifecycle.Action) {
    switch action {
    case .openDevices(let number):
      changing += 1
      environment.openSources(number)
    case .closeDevices:
      changing += 1
      environment.closeSources()
    // It begins, paused, when there are sources.
    case .resumeAfterCrash:
      isResumingAfterCrash = true
      if let left = resumption?.sessionLeft { handle(.resumedAfterCrash(left)) }
    case .askGate(let number): askGate(number)
    case .withdrawGate:
      asked = nil
      environment.withdrawGate()
    case .abandon: break
    case .begin(let number): begin(.beginning(number))
    case .goLive:
      if !muted.isEmpty { write(.muted(muted)) }
      advance(to: .onAir, .goLive)
      handle(SessionTimer.Event.wentLive)
    case .pause(let number):
      handle(SessionTimer.Event.interrupted)
      advance(to: .pausing(number), .pause)
    case .resume:
      handle(SessionTimer.Event.resumed)
      advance(to: .onAir, .resume(after: cause))
    case .close(let number, let reason):
      // Else the session ends with its broadcast.
      if [.background, .windowClosed].contains(reason) { handle(SessionTimer.Event.interrupted) }
      close(number, reason)
    case .setTimer(let number, let delay): timers.set(number, at: now.monotonic + delay)
    case .cancelTimer(let number): timers.cancel(number)
    case .tell(let state): tell(state)
    }
  }

  private var newest: Int? { running.keys.max() }

  private mutating func post(_ request: BroadcastRequest) {
    if let newest { _ = environment.post(request, to: newest) }
  }

  private mutating func write(_ entry: JournalEntry) {
    if let newest { environment.write(entry, toJournalOf: newest) }
  }

  private mutating func advance(to stage: Running.Stage, _ request: BroadcastRequest) {
    guard let newest else { return }
    running[newest]?.stage = stage
    _ = environment.post(request, to: newest)
  }

  private mutating func begin(_ stage: Running.Stage) {
    guard tracks != nil else { return }
    broadcasts += 1
    let id = nextID
    nextID = environment.makeBroadcastID()
    running[broadcasts] = Running(id: id, stage: stage)
    environment.begin(broadcasts, id: id)
    show(id)
  }

  /// Answers nothing: it goes on where it was left.
  mutating func resumeAfterCrash() {
    guard isResumingAfterCrash else { return }
    isResumingAfterCrash = false
    begin(.onAir)
  }

  private mutating func close(_ number: Int, _ reason: Lifecycle.EndReason) {
    if isResumingAfterCrash {
      isResumingAfterCrash = false
      environment.discardInterrupted(reason == .duration ? .duration : .crash)
      nextID = environment.makeBroadcastID()
    }
    guard newest != nil else { return handle(.closed(number)) }
    // What is killed while it is being closed is not gone on with.
    write(.backgrounded)
    let isRefused = reason == .gateRefused || reason == .gateTimedOut
    advance(to: .closing(number, isRefused: isRefused), .stop(BroadcastEvent.EndReason(reason)))
  }

  private mutating func show(_ broadcast: String) {
    var status = status
    status.state = machine.state
    status.broadcast = broadcast
    // What became of the last broadcast has been reported.
    if machine.state == .previewing { status.failure = nil }
    self.status = status
  }

  private mutating func tell(_ state: Lifecycle.State) {
    show(broadcastID)
    environment.preview(state == .previewing && tracks != nil)
    switch state {
    case .previewing: say(.previewing)
    case .starting: say(.starting)
    case .interrupted(let cause, let until):
      self.cause = Gap.Cause(cause)
      let wall = WallTime(nanoseconds: now.wall.nanoseconds + (until - now.monotonic).nanoseconds)
      // A crash is in the journal already; what is being closed has been told to end.
      if cause != .crash, let newest, running[newest]?.closing == nil,
        environment.post(.reportInterrupted(cause, until: wall), to: newest)
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
    let newest = newest.flatMap { running[$0] }
    return switch machine.state {
    case .live, .interrupted, .backgrounded, .ending, .ended: newest?.id ?? nextID
    case .starting: newest.flatMap { $0.closing == nil ? $0.id : nil } ?? nextID
    case .idle, .previewing: nextID
    }
  }

  mutating func say(_ event: BroadcastEvent) {
    environment.report(.event(EventLine(at: now.wall, broadcast: broadcastID, event: event)))
  }
}

// MARK: - What broadcasts answer

extension BroadcasterDriver {
  private mutating func handle(_ answer: BroadcastAnswer, of number: Int) {
    guard let one = running[number] else { return }
    if case .ended(let outcome) = answer { return end(number, one, outcome) }
    guard number == newest else { return }
    switch (answer, one.stage) {
    case (.attemptsDecided, .beginning(let begin)): handle(.firstAttemptsDecided(begin))
    case (.paused, .pausing(let pause)): handle(.paused(pause))
    case (.over(let reason), .beginning), (.over(let reason), .onAir), (.over(let reason), .pausing):
      switch reason {
      case .duration: handle(.timeWasUp)
      case .sourceEnded: handle(.sourcesEnded)
      case .failed: handle(.failed)
      case .stopped, .background, .windowClosed, .interruptedStart, .crash, .gateRefused, .gateTimedOut: break
      }
    case (.attemptsDecided, _), (.paused, _), (.over, .closing), (.ended, _): break
    }
  }

  private mutating func end(_ number: Int, _ one: Running, _ outcome: Broadcast.Outcome) {
    running[number] = nil
    environment.release(number, outcome)
    guard case .closing(let close, let isRefused) = one.stage else { return status.failure = outcome.failure }
    status.failure = outcome.failure ?? (isRefused ? gateError.map(BroadcastError.gate) : nil)
    handle(.closed(close))
  }
}

// MARK: - How long the session may last

extension BroadcasterDriver {
  private mutating func handle(_ event: SessionTimer.Event) {
    follow(session.handle(event, at: now.sinceBoot))
  }

  private mutating func extend(by more: MediaTime, request: String) -> ExtensionAnswer {
    let (verdict, actions) = session.extend(by: more, request: request, at: now.sinceBoot)
    follow(actions)
    return ExtensionAnswer(verdict: verdict, status: TimerStatus(session, at: now.sinceBoot, wall: now.wall))
  }

  private mutating func follow(_ actions: [SessionTimer.Action]) {
    status.session = session
    for action in actions {
      switch action {
      case .tell(let news): say(.timer(news, TimerStatus(session, at: now.sinceBoot, wall: now.wall)))
      case .keep: keepSession()
      case .end: handle(.sessionWasOver)
      }
    }
  }

  /// A start after a crash finds it in the broadcast's journal.
  private mutating func keepSession() {
    guard let length = session.length, let startedAt = session.startedAt else { return }
    write(
      .session(
        JournaledSession(
          elapsed: now.sinceBoot - startedAt, uncounted: session.uncounted, length: length,
          requests: session.requests)))
  }
}

// MARK: - Whether it may go live

extension BroadcasterDriver {
  private mutating func askGate(_ number: Int) {
    guard let newest else { return }
    asked = number
    gateError = nil
    tellGate(.asked)
    environment.askGate(number, about: newest, machine.state == .starting ? .start : .resume)
  }

  private mutating func gateAnswered(_ number: Int, _ error: GateError?) {
    guard asked == number else { return }
    asked = nil
    tellGate(error == nil ? .passed : .refused, error?.underlying.map { "\($0)" })
    gateError = error
    handle(error == nil ? .gatePassed(number) : .gateRefused(number))
  }

  /// Its time is over: the machine knows what that means.
  private mutating func gateTimedOut() {
    tellGate(.timedOut)
    gateError = GateError(.timedOut)
  }

  private mutating func tellGate(_ verdict: BroadcastEvent.GateVerdict, _ reason: String? = nil) {
    guard newest != nil else { return }
    write(.gate(verdict: verdict.rawValue, reason: reason))
    status.gate = GateStatus(state: .init(verdict), reason: reason)
    say(.gate(verdict, reason: reason))
  }
}
