package import HoldfastLifecycle
internal import HoldfastMediaModel
internal import HoldfastPlatform
package import HoldfastRecording

/// The life of one process: its broadcasts, one after another, and what interrupts them.
///
/// `run` runs the driver that decides on the calling thread; requests are events in its inbox. A broadcast runs on a thread
/// of its own, and so does the opening of devices.
package final class Broadcaster: Sendable {
  struct Published: Sendable {
    var configured: Configuration
    var status: BroadcasterStatus
    /// What the newest broadcast was told, and its sources.
    var running: (configuration: Configuration, feeds: Feeds)?
    /// What was last reported of them.
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

  /// What the next broadcast is told, with the sources that were chosen.
  package var configuration: Configuration {
    published.withLock { $0.status.choices.applied(to: $0.configured) }
  }

  /// What the broadcast was told that there is now, with its present sources; nil where there is none.
  package var runningConfiguration: Configuration? {
    let running = published.withLock { published -> (configuration: Configuration, feeds: Feeds)? in
      switch published.status.state {
      case .starting, .live, .interrupted: return published.running
      case .idle, .previewing, .backgrounded, .ending, .ended: return nil
      }
    }
    return running.map { $0.configuration.with(sourcesOf: $0.feeds.sources) }
  }

  package var state: Lifecycle.State { published.withLock { $0.status.state } }
  /// The broadcast that there is, or was last; nil before the first.
  package var broadcastID: String? { published.withLock { $0.status.broadcast } }
  package var snapshot: Snapshot { published.withLock { $0.snapshot } }
  package var timer: TimerStatus { .now(published.withLock { $0.status.session }) }

  package var gateStatus: GateStatus {
    var status = published.withLock { $0.status.gate }
    status.awaitsReady = readyGate.isAsked
    return status
  }

  /// What is to be asked before a broadcast goes live.
  var gates: [any GoLiveGate] {
    let settings = configuration.session.gate
    let command = settings.command.map { CommandGate($0, environment: variables) }
    let gates: [(any GoLiveGate)?] = [gate, command, settings.awaitsReady ? readyGate : nil]
    return gates.compactMap(\.self)
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
      at: .now, makeID: Broadcast.newID)
    for track in resumed?.broadcast.muted.sorted(by: { $0.rawValue < $1.rawValue }) ?? [] {
      setMuted(track, true)
    }
    driver.start(interruptedBy: cause)
    loop.run(driver)
    return published.withLock { $0.status.failure }
  }

  @Sendable func show(_ observation: Broadcast.Observation) {
    published.withLock { published in
      switch observation {
      case .snapshot(let snapshot): published.snapshot = snapshot
      case .event(let line):
        if case .device(let track, let state, _) = line.event { published.devices[track] = state }
      case .note: break
      }
    }
    observe(observation)
  }
}
