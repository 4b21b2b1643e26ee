package import HoldfastLifecycle
internal import HoldfastMediaModel
internal import HoldfastPlatform
internal import HoldfastPublishing
package import HoldfastRecording

/// The life of one process: its broadcasts, one after another, and what interrupts them.
///
/// `run` owns the machine that decides, in local variables of its own thread; whoever wants something leaves an event in
/// its inbox. A broadcast runs on a thread of its own, and so does the opening of devices.
package final class Broadcaster: Sendable {
  enum Event: Sendable {
    case asked(Lifecycle.Event)
    /// Nobody waits for the answer after that time, and nothing is done then.
    case request(Request, until: MonotonicTime)
    case broadcast(Int, BroadcastAnswer)
    case devices(Devices.Event)
    /// Something was changed that is no business of the machine's.
    case told(BroadcastEvent)
    case configured(Configuration)
    case sending(CustomEvent)
    /// Another source is to take a track's place until then.
    case switchSource(SourceChange, until: MonotonicTime, answer: SourceSwitches.Answer)
    case backgroundAsked(atRest: @Sendable () -> Void)
    case gateAnswered(Int, GateError?)
  }

  private let settings: Locked<Configuration>
  let inbox = BoundedQueue<Event>(capacity: 1024)
  private let observe: @Sendable (Broadcast.Observation) -> Void
  private let finish: @Sendable (Broadcast.Outcome) -> Void
  private let shown: Locked<Shown>
  private let journals: JournalFolder?
  private let environment: [String: String]
  let mutes = Mutes()
  let pictures = PreviewPictures()
  private let finished = Locked<FinishedRecordings?>(nil)
  /// What is asked besides what is configured.
  private let gate: (any GoLiveGate)?
  let readyGate = ReadyGate()
  /// What the next broadcast resumes.
  private let resumed = Locked<ResumedBroadcast?>(nil)

  /// What others may see of it.
  private struct Shown: Sendable {
    var choices: SourceChoices
    /// What was last told of them.
    var devices: [TrackKind: BroadcastEvent.DeviceState] = [:]
    var state = Lifecycle.State.idle
    var broadcast: String?
    /// That broadcast's configuration.
    var running: Configuration?
    var snapshot = Snapshot()
    var session = SessionTimer()
    var gate = GateStatus()
  }

  /// `observe` gets what happens, `finish` what each broadcast came to. With `journals` a broadcast that came to a sudden
  /// end is resumed. `environment` is our own, for commands that are run. `gate` has a say besides what is configured.
  package init(
    _ configuration: Configuration, journals: JournalFolder? = nil, environment: [String: String] = [:],
    gate: (any GoLiveGate)? = nil,
    observe: @escaping @Sendable (Broadcast.Observation) -> Void,
    finish: @escaping @Sendable (Broadcast.Outcome) -> Void
  ) {
    settings = Locked(configuration)
    shown = Locked(Shown(choices: SourceChoices(configuration)))
    self.journals = journals
    self.environment = environment
    self.gate = gate
    self.observe = observe
    self.finish = finish
  }

  /// Something has happened, or somebody wants something. From any thread.
  package func handle(_ event: Lifecycle.Event) {
    _ = inbox.offer(.asked(event))
  }

  /// Goes to the background. `atRest` is called once nothing is open or being written any more, unless it becomes active
  /// before.
  package func goToBackground(atRest: @escaping @Sendable () -> Void) {
    _ = inbox.offer(.backgroundAsked(atRest: atRest))
  }

  /// Takes another configuration: what can change in a broadcast that runs changes at once, all else with the next one.
  package func configure(_ new: Configuration) {
    settings.withLock { $0 = new }
    _ = inbox.offer(.configured(new))
  }

  /// What the next broadcast is told, with the sources that were chosen.
  package var configuration: Configuration {
    shown.withLock { $0.choices }.applied(to: settings.withLock { $0 })
  }

  /// What was last told of a device; nil where nothing was.
  func deviceState(of track: TrackKind) -> BroadcastEvent.DeviceState? {
    shown.withLock { $0.devices[track] }
  }

  /// What the broadcast was told that there is now; nil where there is none.
  package var runningConfiguration: Configuration? {
    shown.withLock { shown in
      switch shown.state {
      case .starting, .live, .interrupted: shown.running
      case .idle, .previewing, .backgrounded, .ending, .ended: nil
      }
    }
  }

  package var state: Lifecycle.State { shown.withLock { $0.state } }
  /// The broadcast that there is, or was last; nil before the first.
  package var broadcastID: String? { shown.withLock { $0.broadcast } }
  package var snapshot: Snapshot { shown.withLock { $0.snapshot } }
  /// How much of the session's time is left.
  package var timer: TimerStatus { .now(shown.withLock { $0.session }) }

  package var gateStatus: GateStatus {
    var status = shown.withLock { $0.gate }
    status.awaitsReady = readyGate.isAsked
    return status
  }

  /// Broadcasts until it is over: asked to stop, at its end, or unable to go on. The last broadcast's failure, if it had one.
  /// With a cause it is interrupted from the start.
  package func run(interruptedBy cause: Lifecycle.Cause? = nil) -> BroadcastError? {
    let inbox = inbox
    let devices: Devices
    do {
      devices = try Devices(
        mutes, pictures, note: { [observe] in observe(.note($0)) },
        report: { _ = inbox.offer(.devices($0)) })
      let finished = try FinishedRecordings(
        configuration, environment: environment, ledger: journals.map { "\($0.path)/unfinished-commands" },
        note: { [observe] in observe(.note($0)) })
      self.finished.withLock { $0 = finished }
    } catch {
      return .system("\(error)")
    }
    defer {
      devices.finish()
      pictures.finish()
    }
    let gates = self.gates
    let keeper =
      gates.isEmpty ? nil : GateKeeper(AllGates(gates: gates)) { _ = inbox.offer(.gateAnswered($0, $1)) }
    defer { keeper?.finish() }
    let resumed = crashRecovery?.recover()
    self.resumed.withLock { $0 = resumed }
    do {
      try finished.withLock { $0 }?.begin(keeping: resumed?.recording?.path)
    } catch {
      observe(.note("old recordings are not deleted: \(error)"))
    }
    var life = BroadcasterRun(
      configuration, hasGate: keeper != nil, resumed: resumed, surroundings(devices, keeper))
    for track in resumed?.broadcast.muted.sorted(by: { $0.rawValue < $1.rawValue }) ?? []
    where mutes[track].set(true) {
      say(.mute(track: track, isMuted: true))
    }
    if let cause { life.handle(.interruptionBegan(cause)) }
    if configuration.session.preview { life.handle(.previewRequested) }
    if let resumed {
      life.handle(.resumeAfterCrashRequested(windowLeft: resumed.windowLeft(at: .now())))
    } else if !configuration.session.preview {
      life.handle(.startRequested)
    }
    while !life.isOver {
      guard let event = inbox.take(until: life.nextTimer) else {
        life.fireTimers()
        continue
      }
      life.handle(event)
      life.fireTimers()
    }
    inbox.close()
    finished.withLock { $0 }?.finish()
    return life.failure
  }

  private var crashRecovery: CrashRecovery? {
    journals.map {
      CrashRecovery(configuration: configuration, journals: $0, observe: { [self] in show($0) })
    }
  }

  private var gates: [any GoLiveGate] {
    var gates: [any GoLiveGate] = []
    if let gate { gates.append(gate) }
    if let command = configuration.session.gate.command {
      gates.append(CommandGate(command, environment: environment))
    }
    if configuration.session.gate.awaitsReady { gates.append(readyGate) }
    return gates
  }

  private func surroundings(_ devices: Devices, _ keeper: GateKeeper?) -> BroadcasterRun.Surroundings {
    BroadcasterRun.Surroundings(
      open: { [self] in devices.open($0, configuration) }, close: { devices.close() },
      make: { [self] in make($0, id: $1, $2) },
      giveUp: { [self] reason in
        if let resumed = resumed.withLock({ $0.take() }) { crashRecovery?.finish(resumed.broadcast, reason) }
      },
      askGate: { keeper?.ask($0, about: $1) }, withdrawGate: { keeper?.withdraw() },
      observe: { [self] in show($0) },
      show: { [shown] state, broadcast in
        shown.withLock {
          $0.state = state
          $0.broadcast = broadcast ?? $0.broadcast
        }
      }, showSession: { [shown] session in shown.withLock { $0.session = session } },
      showGate: { [shown] verdict, reason in
        shown.withLock { $0.gate = GateStatus(state: .init(verdict), reason: reason) }
      }, muted: { [mutes] in mutes.muted },
      switchSource: { devices.change($0, until: $1) },
      showChoices: { [shown] choices, chosen in
        shown.withLock {
          $0.choices = choices
          if let chosen { $0.running = $0.running.map(chosen.applied) }
        }
      }, finish: finish)
  }

  private func make(_ number: Int, id: String, _ feeds: Feeds) -> Broadcast {
    let inbox = inbox
    let configuration = feeds.sources.applied(to: configuration)
    shown.withLock { $0.running = configuration }
    return Broadcast(
      id: id, configuration, feeds: feeds, journals: journals, resumed: resumed.withLock { $0.take() },
      observe: { [self] in show($0) }, answer: { _ = inbox.offer(.broadcast(number, $0)) })
  }

  @Sendable private func show(_ observation: Broadcast.Observation) {
    if case .snapshot(let snapshot) = observation { shown.withLock { $0.snapshot = snapshot } }
    if case .event(let line) = observation, case .device(let track, let state, _) = line.event {
      shown.withLock { $0.devices[track] = state }
    }
    observe(observation)
    if case .event(let line) = observation { finished.withLock { $0 }?.handle(line) }
  }
}
