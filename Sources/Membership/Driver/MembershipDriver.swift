package import HoldfastMediaModel
import HoldfastSession

/// Carries out the decisions of a `MembershipMachine`. Who runs it on an event loop adds the wait for its inbox.
package struct MembershipDriver<Environment: MembershipEnvironment> {
  package private(set) var environment: Environment
  private var machine: MembershipMachine

  /// Two lost answers leave time for a third beat within a lease.
  private static var answerTimeout: MediaTime { .seconds(4) }
  /// A hub sends a comment at least that often.
  private static var streamSilence: MediaTime { .seconds(40) }

  package init(
    _ settings: MembershipMachine.Settings, record: MembershipRecord?, _ environment: Environment,
    randomness: any RandomNumberGenerator = SystemRandomNumberGenerator()
  ) {
    self.environment = environment
    machine = MembershipMachine(settings, record: record, randomness: randomness)
  }

  package var isFinished: Bool { machine.isFinished }
  package var nextDeadline: MonotonicTime? { machine.nextDeadline }

  package mutating func handle(_ event: MembershipMachine.Event, at now: Instant) {
    perform(machine.handle(event, at: now.monotonic))
  }

  package mutating func fireTimers(at now: Instant) {
    guard let deadline = machine.nextDeadline, deadline <= now.monotonic else { return }
    handle(.timePassed, at: now)
  }

  /// For environments whose `wait` needs their connections.
  package mutating func withEnvironment<Result>(_ body: (inout Environment) -> Result) -> Result {
    body(&environment)
  }

  private mutating func perform(_ actions: [MembershipMachine.Action]) {
    // Whoever gets a report finds the state that belongs to it.
    environment.show(machine.snapshot)
    for action in actions {
      switch action {
      case .remember(let record): environment.remember(record)
      case .send(let number, let request): environment.send(number, request, within: Self.answerTimeout)
      case .openStream(let number, let lease, let after):
        environment.openStream(number, lease: lease, after: after, silence: Self.streamSilence)
      case .closeStream(let number): environment.closeStream(number)
      case .changeHub: environment.changeHub()
      case .askPassword(let isWrong): environment.askPassword(isWrong: isWrong)
      case .mute(let tracks): environment.mute(tracks)
      case .showScreen(let isShown): environment.showScreen(isShown)
      case .publish(let rendition, let address): environment.publish(rendition, to: address)
      case .unpublish(let rendition): environment.unpublish(rendition)
      case .endBroadcast: environment.endBroadcast()
      case .report(let report): environment.report(report)
      }
    }
  }
}
