import HoldfastLifecycle
package import HoldfastMediaModel
package import HoldfastPlatform

/// Carries out the decisions of an `OutputMachine`.
package struct OutputDriver<Environment: OutputEnvironment>: Driver {
  private var environment: Environment
  private var machine: OutputMachine
  private var timers = Timers()

  private static var drainTimeout: MediaTime { .milliseconds(1600) }

  package init(
    _ settings: Output.Settings, tracks: Set<TrackKind>, _ environment: Environment,
    randomness: any RandomNumberGenerator = SystemRandomNumberGenerator()
  ) {
    self.environment = environment
    machine = OutputMachine(settings, tracks: tracks, randomness: randomness)
  }

  package var isFinished: Bool { machine.state == .finished }
  package var nextDeadline: MonotonicTime? { timers.next }

  package mutating func wait(
    for inbox: Inbox<OutputMachine.Event>, until deadline: MonotonicTime?
  ) -> OutputMachine.Event? {
    environment.wait(for: inbox, until: deadline)
  }

  package mutating func fireTimers(at now: Instant) {
    while let timer = timers.takeDue(at: now.monotonic) { handle(.timerFired(timer), at: now) }
  }

  package mutating func handle(_ event: OutputMachine.Event, at now: Instant) {
    perform(machine.handle(event, at: now.monotonic))
  }

  private mutating func perform(_ actions: [OutputMachine.Action]) {
    environment.show(machine.figures)
    for action in actions {
      switch action {
      case .prepare(let number, let address, let request): environment.prepare(number, to: address, request)
      case .connect(let number, let address, let request): environment.connect(number, to: address, request)
      case .resume(let number): environment.resume(number)
      case .begin(let isFresh): environment.begin(isFresh: isFresh)
      case .change(let tracks): environment.change(to: tracks)
      case .hold(let isHeld): environment.hold(isHeld)
      case .send(let event): environment.send(event)
      case .close(let number, let keepsSession):
        environment.close(number, keepsSession: keepsSession, within: Self.drainTimeout)
      case .drop(let number, let keepsQueue): environment.drop(number, keepsQueue: keepsQueue)
      case .requestKeyframe: environment.requestKeyframe()
      case .setTimer(let timer, let deadline): timers.set(timer, at: deadline)
      case .cancelTimer(let timer): timers.cancel(timer)
      case .report(let event): environment.report(event)
      }
    }
  }
}
