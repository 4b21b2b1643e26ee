package import HoldfastLifecycle
import HoldfastMediaModel
package import HoldfastPlatform
import HoldfastPublishing
package import HoldfastRecording

/// The broadcasts of one process, one after another, and their interruptions. `run` runs the driver on the
/// calling thread; each broadcast, and the opening of devices, has its own thread.
package final class Broadcaster: Sendable {
  package static let version = "0.1.0"

  struct Published: Sendable {
    var configured: Configuration
    var status: ProcessStatus
    /// The configuration and sources of the newest broadcast.
    var running: (configuration: Configuration, feeds: Feeds)?
    var devices: [TrackKind: BroadcastEvent.DeviceState] = [:]
    /// Of the first track of each tile.
    var tiles: [String: BroadcastEvent.DeviceState] = [:]
    var snapshot = Snapshot()
    var resumed: String?
    /// Where the outputs at the session publish to.
    var sessionAddresses: [SessionOutput: OutputAddress] = [:]
  }

  let published: Locked<Published>
  let loop = EventLoop<ProcessEvent>()
  let mutes = Mutes()
  let loudness = LoudnessMeter()
  let pictures = PreviewPictures()
  package let programme: ProgrammeControl
  let live: LivePackets?
  let journals: JournalFolder?
  let processEnvironment: [String: String]
  let confinement: FolderConfinement?
  private let gate: (any GoLiveGate)?
  private let observe: @Sendable (Broadcast.Observation) -> Void
  let finish: @Sendable (Broadcast.Outcome) -> Void

  /// `observe` receives events, `finish` the result of each broadcast. With `journals`, an interrupted
  /// broadcast is resumed. `environment` and `confinement` are for child processes; `gate` is asked in
  /// addition to configured ones. `live` gets the packets of all broadcasts.
  package init(
    _ configuration: Configuration, journals: JournalFolder? = nil, environment: [String: String] = [:],
    confinement: FolderConfinement? = nil, gate: (any GoLiveGate)? = nil, live: LivePackets? = nil,
    observe: @escaping @Sendable (Broadcast.Observation) -> Void,
    finish: @escaping @Sendable (Broadcast.Outcome) -> Void
  ) {
    published = Locked(
      Published(configured: configuration, status: ProcessStatus(choices: SourceChoices(configuration))))
    programme = ProgrammeControl(configuration.programme)
    self.journals = journals
    processEnvironment = environment
    self.confinement = confinement
    self.gate = gate
    self.live = live
    self.observe = observe
    self.finish = finish
  }

  /// The configuration of the next broadcast, with the chosen sources.
  package var configuration: Configuration {
    published.withLock { $0.status.choices.applied(to: $0.configured) }
  }

  /// The configuration of the current broadcast, with its present sources; nil if there is none.
  package var runningConfiguration: Configuration? {
    let running = published.withLock { published -> (configuration: Configuration, feeds: Feeds)? in
      switch published.status.state {
      case .starting, .live, .interrupted: return published.running
      case .idle, .previewing, .backgrounded, .ending, .ended: return nil
      }
    }
    return running.map { $0.configuration.with(sourcesOf: $0.feeds.sources) }
  }

  package var status: ProcessStatus { published.withLock { $0.status } }
  package var state: Lifecycle.State { status.state }
  /// The current or last broadcast; nil before the first.
  package var broadcastID: String? { published.withLock { $0.status.broadcast } }
  /// The broadcast of an earlier process that this one goes on with; nil if it found none.
  package var resumedID: String? { published.withLock { $0.resumed } }
  package var snapshot: Snapshot { published.withLock { $0.snapshot } }
  package var timer: TimerStatus { .now(published.withLock { $0.status.session }) }

  package var gateStatus: GateStatus { published.withLock { $0.status.gate } }

  var gates: [any GoLiveGate] {
    let command = configuration.session.gate.command.map {
      CommandGate($0, environment: processEnvironment, confinement: confinement)
    }
    let gates: [(any GoLiveGate)?] = [gate, command]
    return gates.compactMap(\.self)
  }

  /// Blocks until the broadcaster ends; returns the last broadcast's failure. With a cause, it starts
  /// interrupted. `isTypedAtTerminal` if a person started the program.
  package func run(interruptedBy cause: Lifecycle.Cause? = nil, isTypedAtTerminal: Bool = false)
    -> BroadcastError?
  {
    let environment: SystemProcessEnvironment
    do { environment = try SystemProcessEnvironment(self, isTypedAtTerminal: isTypedAtTerminal) } catch {
      return .system("\(error)")
    }
    defer {
      environment.finish()
      // The sources report notes to the broadcaster: a cycle, which would keep both alive.
      published.withLock { $0.running = nil }
    }
    let resumed = environment.resumed
    published.withLock { $0.resumed = resumed?.broadcast.id }
    var driver = ProcessDriver(
      configuration, hasGate: environment.hasGate, resuming: resumed?.resumption(at: .now()),
      offAir: environment.offAir, environment, at: .now, makeID: Broadcast.newID)
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
        switch line.event {
        case .device(let track, let state, _): published.devices[track] = state
        case .programme(.tile(let name, let track, let state, _)):
          published.note(state, of: track, in: name)
        default: break
        }
      case .note, .warning, .offAir: break
      }
    }
    observe(observation)
  }
}
