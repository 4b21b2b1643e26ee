package import HoldfastLifecycle
internal import HoldfastMediaModel
internal import HoldfastPlatform
package import HoldfastRecording

/// The life of one process: its broadcasts, one after another, and what interrupts them.
///
/// `run` runs the driver that decides on the calling thread; whoever wants something leaves an event in its inbox. A
/// broadcast runs on a thread of its own, and so does the opening of devices.
package final class Broadcaster: Sendable {
  /// What others may see of it.
  struct Published: Sendable {
    var configured: Configuration
    var status: BroadcasterStatus
    /// What the newest broadcast was told.
    var running: Configuration?
    /// What was last told of them.
    var devices: [TrackKind: BroadcastEvent.DeviceState] = [:]
    var snapshot = Snapshot()
  }

  let published: Locked<Published>
  let loop = EventLoop<BroadcasterEvent>()
  let mutes = Mutes()
  let pictures = PreviewPictures()
  let journals: JournalFolder?
  /// Our own environment, for commands that are run.
  let variables: [String: String]
  /// What is asked besides what is configured.
  private let gate: (any GoLiveGate)?
  let readyGate = ReadyGate()
  private let observe: @Sendable (Broadcast.Observation) -> Void
  let finish: @Sendable (Broadcast.Outcome) -> Void

  /// `observe` gets what happens, `finish` what each broadcast came to. With `journals` a broadcast that came to a sudden
  /// end is resumed. `environment` is our own, for commands that are run. `gate` has a say besides what is configured.
  package init(
    _ configuration: Configuration, journals: JournalFolder? = nil, environment: [String: String] = [:],
    gate: (any GoLiveGate)? = nil,
    observe: @escaping @Sendable (Broadcast.Observation) -> Void,
    finish: @escaping @Sendable (Broadcast.Outcome) -> Void
  ) {
    published = Locked(
      Published(
        configured: configuration, status: BroadcasterStatus(choices: SourceChoices(configuration))))
    self.journals = journals
    variables = environment
    self.gate = gate
    self.observe = observe
    self.finish = finish
  }

  /// Something has happened, or somebody wants something. From any thread.
  package func handle(_ event: Lifecycle.Event) {
    loop.post(.lifecycle(event))
  }

  /// Goes to the background. `atRest` is called once nothing is open or being written any more, unless it becomes active
  /// before.
  package func goToBackground(atRest: @escaping @Sendable () -> Void) {
    loop.post(.background(atRest: atRest))
  }

  /// Takes another configuration: what can change in a broadcast that runs changes at once, all else with the next one.
  package func configure(_ new: Configuration) {
    published.withLock { $0.configured = new }
    loop.post(.configured(new))
  }

  /// What the next broadcast is told, with the sources that were chosen.
  package var configuration: Configuration {
    published.withLock { $0.status.choices.applied(to: $0.configured) }
  }

  /// What was last told of a device; nil where nothing was.
  func deviceState(of track: TrackKind) -> BroadcastEvent.DeviceState? {
    published.withLock { $0.devices[track] }
  }

  /// What the broadcast was told that there is now; nil where there is none.
  package var runningConfiguration: Configuration? {
    published.withLock { published in
      switch published.status.state {
      case .starting, .live, .interrupted: published.running
      case .idle, .previewing, .backgrounded, .ending, .ended: nil
      }
    }
  }

  package var state: Lifecycle.State { published.withLock { $0.status.state } }
  /// The broadcast that there is, or was last; nil before the first.
  package var broadcastID: String? { published.withLock { $0.status.broadcast } }
  package var snapshot: Snapshot { published.withLock { $0.snapshot } }
  /// How much of the session's time is left.
  package var timer: TimerStatus { .now(published.withLock { $0.status.session }) }

  package var gateStatus: GateStatus {
    var status = published.withLock { $0.status.gate }
    status.awaitsReady = readyGate.isAsked
    return status
  }

  var gates: [any GoLiveGate] {
    let configuration = configuration
    var gates: [any GoLiveGate] = []
    if let gate { gates.append(gate) }
    if let command = configuration.session.gate.command {
      gates.append(CommandGate(command, environment: variables))
    }
    if configuration.session.gate.awaitsReady { gates.append(readyGate) }
    return gates
  }

  /// Broadcasts until it is over: asked to stop, at its end, or unable to go on. The last broadcast's failure, if it had one.
  /// With a cause it is interrupted from the start.
  package func run(interruptedBy cause: Lifecycle.Cause? = nil) -> BroadcastError? {
    let environment: SystemBroadcasterEnvironment
    do {
      environment = try SystemBroadcasterEnvironment(self)
    } catch {
      return .system("\(error)")
    }
    defer { environment.finish() }
    let resumed = environment.resumed
    var driver = BroadcasterDriver(
      configuration, hasGate: environment.hasGate, resuming: resumed?.resumption(at: .now()), environment,
      at: .now)
    for track in resumed?.broadcast.muted.sorted(by: { $0.rawValue < $1.rawValue }) ?? []
    where mutes[track].set(true) {
      say(.mute(track: track, isMuted: true))
    }
    driver.start(interruptedBy: cause)
    loop.run(driver)
    return published.withLock { $0.status.failure }
  }

  @Sendable func show(_ observation: Broadcast.Observation) {
    if case .snapshot(let snapshot) = observation { published.withLock { $0.snapshot = snapshot } }
    if case .event(let line) = observation, case .device(let track, let state, _) = line.event {
      published.withLock { $0.devices[track] = state }
    }
    observe(observation)
  }
}
