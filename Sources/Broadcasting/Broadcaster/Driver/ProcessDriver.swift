package import HoldfastLifecycle
package import HoldfastMediaModel
package import HoldfastPlatform
import HoldfastPublishing
package import HoldfastRecording

/// Carries out the decisions of `Lifecycle` with sources, broadcasts and the session timer.
package struct ProcessDriver<Environment: ProcessEnvironment>: Driver {
  /// The broadcast that a crash interrupted, until it is resumed.
  private enum Interrupted {
    case none
    case found(Resumption)
    /// It resumes, paused, once its sources are open.
    case awaitingSources
  }

  package var environment: Environment
  package private(set) var machine: Lifecycle
  var session: SessionTimer
  private let hasPreview: Bool
  private let resumeWindow: MediaTime
  private var timers = Timers()
  private(set) var now: Instant
  /// Events that actions raise wait until all actions of the first one are done.
  private var pending: [Lifecycle.Event] = []
  var broadcasts: RunningBroadcasts
  private var interrupted: Interrupted
  var sources = SourceState()
  var switches: SourceSwitches
  private var muted: Set<TrackKind> = []
  private var hasStarted = false
  private var isShutdownNear = false
  /// There are gates other than `ready`.
  let hasGate: Bool
  var ready: ReadyGate
  var gate = GateQuestion.idle
  private var atRest: [@Sendable () -> Void] = []
  /// A preview or start that is not reported yet.
  private var announcement: BroadcastEvent?
  package var status: ProcessStatus { didSet { environment.publish(status) } }

  /// `resumption` describes the interrupted broadcast; `makeID` makes ids of new broadcasts.
  package init(
    _ configuration: Configuration, hasGate: Bool, resuming resumption: Resumption?,
    offAir: OffAirRecord? = nil, _ environment: Environment, at now: Instant, makeID: @escaping () -> String
  ) {
    self.environment = environment
    self.now = now
    interrupted = if let resumption { .found(resumption) } else { .none }
    broadcasts = RunningBroadcasts(resuming: resumption?.id, makeID: makeID)
    self.hasGate = hasGate
    ready = ReadyGate(isAwaited: configuration.session.gate.awaitsReady)
    machine = Lifecycle(configuration.lifecycleSettings(hasGate: hasGate || ready.isAwaited))
    session = SessionTimer(configuration.sessionSettings)
    switches = SourceSwitches(configuration)
    status = ProcessStatus(choices: switches.choices)
    hasPreview = configuration.session.preview
    resumeWindow = configuration.session.resumeWindow
    (status.offAir, status.returnedOffAir) = (offAir, offAir)
  }

  package var isFinished: Bool {
    if case .ended = machine.state { return broadcasts.isEmpty && !sources.areChanging }
    return false
  }

  /// Timers stop while the machine sleeps, but the session doesn't: `wait` has to return more often.
  package var nextDeadline: MonotonicTime? { [timers.next, sessionDeadline].compactMap(\.self).min() }

  private var sessionDeadline: MonotonicTime? {
    guard !isFinished, let check = session.nextCheck(after: now.sinceBoot) else { return nil }
    return now.monotonic + max(.zero, check - now.sinceBoot)
  }

  package mutating func wait(
    for inbox: Inbox<ProcessEvent>, until deadline: MonotonicTime?
  ) -> ProcessEvent? {
    environment.wait(for: inbox, until: deadline)
  }

  package mutating func start(interruptedBy cause: Lifecycle.Cause? = nil) {
    if let cause { handle(.interruptionBegan(cause)) }
    if hasPreview { handle(.previewRequested) }
    let offAir = status.offAir
    if let offAir {
      // It may come from the journal of a broadcast that is finished by now.
      environment.keep(.offAir(offAir))
      environment.report(.offAir(offAir))
    }
    if case .found(let resumption) = interrupted {
      handle(.resumeAfterCrashRequested(windowLeft: resumption.windowLeft, isOffAir: offAir != nil))
    } else if let offAir {
      let windowLeft = offAir.windowLeft(of: resumeWindow, at: environment.instant(at: now))
      handle(.offAirRequested(offAir.isBackgrounded ? .backgrounded : .interrupted, windowLeft: windowLeft))
    } else if !hasPreview {
      handle(.command(.start))
    }
    hasStarted = true
    keepOffAir()
  }

  package mutating func fireTimers(at now: Instant) {
    self.now = now
    if let due = session.nextCheck(after: now.sinceBoot), due <= now.sinceBoot { advanceSession(.timePassed) }
    while let number = timers.takeDue(at: now.monotonic) {
      gateTimedOut(number)
      handle(.timerFired(number))
    }
  }

  package mutating func handle(_ event: ProcessEvent, at now: Instant) {
    self.now = now
    switch event {
    case .lifecycle(let event): request(event)
    case .request(let request, let limit) where now.monotonic <= limit: answer(request, until: limit)
    // Whoever made another request has stopped waiting for its answer.
    case .request(let request, _): if case .switchSource(_, let answer) = request { answer(.tooLate) }
    case .background(let isSleep, let atRest):
      self.atRest.append(atRest)
      handle(isSleep ? .sleepBegan : .command(.background))
    case .shutdown(let isNear): isShutdownNear = isNear
    case .opened(let number, let tracks): opened(number, tracks)
    case .failed(let number, let error): failed(number, error)
    case .closed: sources.closed()
    case .source(let event): handle(event)
    case .switched(let error): endSwitch(error)
    case .broadcast(let number, let answer): handle(answer, of: number)
    case .gateBegan(let number): handle(.gateBegan(number))
    case .gateAnswered(let number, let error): gateAnswered(number, error)
    case .changed(let event): changed(event)
    case .configured(let configuration):
      switches.configure(configuration)
      status.choices = switches.choices
      machine.settings.resumeWindow = configuration.session.resumeWindow
      post(.limitBitrate(configuration.bitrateLimits))
    case .send(let event): post(.send(event))
    case .moved(let output, let address): post(.move(output, to: address))
    }
    callAtRest()
  }

  private mutating func answer(_ request: ProcessRequest, until limit: MonotonicTime) {
    switch request {
    case .command(let command, let person, let answer):
      let refusal = machine.state.refusal(of: command)
      if refusal == nil { self.request(.command(command), by: person) }
      answer(refusal.map { .refused($0, machine.state) } ?? .accepted(machine.state))
    case .ready(let ready, let answer): answer(take(ready))
    case .extend(let more, let id, let answer): answer(extend(by: more, request: id))
    case .switchSource(let change, let answer):
      if switches.begin(change, in: machine.state, answer: answer) {
        environment.request(.change(change, until: limit))
      }
    }
  }

  private mutating func request(_ event: Lifecycle.Event, by person: String? = nil) {
    if event == .command(.foreground) || event == .sleepEnded { atRest = [] }
    switch event {
    case .command(.start), .command(.foreground), .command(.resume): ready.began(by: person)
    default: break
    }
    handle(event)
  }

  private mutating func changed(_ event: BroadcastEvent) {
    if case .mute(let track, let isMuted) = event {
      if isMuted { muted.insert(track) } else { muted.remove(track) }
      write(.muted(muted))
    }
    report(event)
  }

  mutating func handle(_ event: Lifecycle.Event) {
    pending.append(event)
    guard pending.count == 1 else { return }
    while let next = pending.first {
      let actions = machine.handle(next, at: now.monotonic)
      keepOffAir()
      for action in actions { perform(action) }
      if machine.isBetweenSessions { advanceSession(.sessionEnded) }
      pending.removeFirst()
    }
  }

  /// Before anything is carried out: a crash must not put anybody on air. Neither must a reboot, whose stop nobody
  /// has asked for.
  private mutating func keepOffAir() {
    let isBackgrounded = machine.offAir.map { $0 == .backgrounded }
    guard hasStarted, !isShutdownNear || !machine.isOver, isBackgrounded != status.offAir?.isBackgrounded
    else { return }
    let instant = environment.instant(at: now)
    let since = status.offAir?.since ?? instant
    status.offAir = isBackgrounded.map { OffAirRecord(isBackgrounded: $0, since: since) }
    status.returnedOffAir = nil
    environment.keep(status.offAir.map(LastWord.offAir) ?? .onAir(since: instant))
  }

  private mutating func callAtRest() {
    guard !atRest.isEmpty, machine.isAtRest, broadcasts.isEmpty, !sources.areChanging else { return }
    let calls = atRest
    atRest = []
    for call in calls { call() }
  }
}

// MARK: - Actions

extension ProcessDriver {
  private mutating func perform(_ action: Lifecycle.Action) {
    switch action {
    case .openDevices(let number):
      sources.requested()
      environment.request(.open(number))
    case .closeDevices:
      sources.requested()
      environment.request(.close)
    case .resumeAfterCrash:
      guard case .found(let resumption) = interrupted else { return }
      interrupted = .awaitingSources
      if let session = resumption.session { advanceSession(.resumedAfterCrash(session)) }
    case .askGate(let number): askGate(number)
    case .cancelGate: cancelGate()
    case .openBroadcast: open(.open)
    case .prepare(let number): advance(to: .preparing(number), .prepare)
    case .goLive:
      if !muted.isEmpty { write(.muted(muted)) }
      advance(to: .onAir, .goLive)
    case .pause(let number):
      advanceSession(.interrupted)
      advance(to: .pausing(number), .pause)
    case .resume:
      advanceSession(.resumed)
      advance(to: .onAir, .resume(after: reportedCause))
    case .close(let number, let reason):
      // Otherwise the session ends with its broadcast.
      if [.background, .windowClosed].contains(reason) { advanceSession(.interrupted) }
      close(number, reason)
    case .setTimer(let number, let delay): timers.set(number, at: now.monotonic + delay)
    case .cancelTimer(let number): timers.cancel(number)
    case .report(let state): stateChanged(to: state)
    }
  }

  private mutating func open(_ stage: RunningBroadcast.Stage) {
    guard sources.haveBeenOpened else { return }
    announce()
    let (number, id) = broadcasts.begin(stage)
    environment.openBroadcast(number, id: id)
    publish(id)
  }

  mutating func resumeAfterCrash() {
    guard case .awaitingSources = interrupted else { return }
    interrupted = .none
    open(.onAir)
  }

  private mutating func close(_ number: Int, _ reason: Lifecycle.EndReason) {
    if case .awaitingSources = interrupted {
      interrupted = .none
      environment.discardInterrupted(reason == .duration ? .duration : .crash)
      broadcasts.discardInterrupted()
    }
    guard broadcasts.newest != nil else { return handle(.closed(number)) }
    // A broadcast killed while closing is not resumed.
    write(.backgrounded)
    advance(to: .closing(number, gate.error(of: reason)), .stop(BroadcastEvent.EndReason(reason)))
  }

  private mutating func publish(_ broadcast: String) {
    var status = status
    status.state = machine.state
    status.broadcast = broadcast
    if machine.state == .previewing { status.failure = nil }
    self.status = status
  }

  private mutating func stateChanged(to state: Lifecycle.State) {
    if case .interrupted(_, let until) = state { status.resumableUntil = now.wall - (now.monotonic - until) }
    broadcasts.enter(state)
    publish(broadcastID)
    announcement = nil
    environment.preview(state == .previewing && sources.haveBeenOpened)
    switch state {
    case .starting: break
    case .live, .interrupted: ready.discardAnswer()
    case .idle, .previewing, .backgrounded, .ending, .ended: ready.reset()
    }
    switch state {
    case .previewing, .starting:
      announcement = state == .previewing ? .previewing : .starting
      if !broadcasts.areClosing { announce() }
    case .interrupted(let cause, _):
      let wall = status.resumableUntil
      // A crash is in the journal already; a closing broadcast has been stopped.
      if cause != .crash, let newest = broadcasts.newest, broadcasts[newest]?.isClosing == false,
        environment.post(.reportInterrupted(cause, until: wall), to: newest)
      {
        break
      }
      report(.interrupted(cause: cause, resumableUntil: wall))
    case .backgrounded: report(.backgrounded)
    // Reported by the broadcast itself.
    case .idle, .live, .ending, .ended: break
    }
  }

  /// The next preview or start is reported after the end of the last broadcast.
  mutating func announce() { announcement.take().map { report($0) } }

  private var broadcastID: String { broadcasts.id(in: machine.state) }

  /// The cause of the interruption that ends with the current action.
  private var reportedCause: Gap.Cause {
    if case .interrupted(let cause, _) = status.state { Gap.Cause(cause) } else { .user }
  }

  mutating func report(_ event: BroadcastEvent) {
    environment.report(.event(EventLine(at: now.wall, broadcast: broadcastID, event: event)))
  }
}
