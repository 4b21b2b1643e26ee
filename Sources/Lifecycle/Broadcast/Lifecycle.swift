package import HoldfastMediaModel

/// The life of one process: what it broadcasts when, and what becomes of a broadcast that something interrupts.
///
/// A value without a clock, a device or a thread: what happens comes in as events, what is to be done goes out as
/// actions. Nobody waits for an action. One that is answered, or limited in time, carries a number that its answer and its
/// timer repeat; a number that is no longer awaited does nothing.
package struct Lifecycle: Hashable, Sendable {
  /// A change counts for what begins later.
  package var settings: Settings
  var phase = Phase.idle
  var devices = Devices.closed
  /// The interruptions that last, the newest last.
  var causes: [Cause] = []
  var isInBackground = false
  /// A broadcast leads back to the preview that it came from.
  var hasPreview = false
  /// Devices that have been there before will be there again; those that never were end the start.
  var expectsDevices = false
  /// The last broadcast is still being closed, with this number.
  var closing: Int?
  var numbers = 0

  package init(_ settings: Settings = Settings()) {
    self.settings = settings
  }

  package mutating func handle(_ event: Event, at now: MonotonicTime) -> [Action] {
    let before = state
    var actions = react(to: event, at: now)
    if let newest = causes.last { phase.interruption?.cause = newest }
    actions += advance()
    if state != before { actions.append(.report(state)) }
    return actions
  }

  package var state: State {
    switch phase {
    case .idle: .idle
    case .previewing: .previewing
    case .starting, .connecting, .asking: .starting
    case .live: .live
    case .pausing(let interruption, _), .paused(let interruption), .askingAgain(let interruption, _),
      .held(let interruption):
      .interrupted(interruption.cause, resumableUntil: interruption.resumableUntil)
    case .backgrounded: .backgrounded
    case .ending: .ending
    case .ended(let reason): .ended(reason)
    }
  }

  /// Nothing is open and nothing is being closed: the machine may sleep, the process may be stopped.
  package var isAtRest: Bool { devices == .closed && closing == nil }

  /// No broadcast is there or wanted: the next one begins another session.
  package var isBetweenSessions: Bool {
    switch phase {
    case .idle, .previewing, .backgrounded(.preview): true
    case .starting, .connecting, .asking, .live, .pausing, .paused, .askingAgain, .held,
      .backgrounded(.broadcast),
      .ending, .ended:
      false
    }
  }

  mutating func nextNumber() -> Int {
    numbers += 1
    return numbers
  }

  private mutating func react(to event: Event, at now: MonotonicTime) -> [Action] {
    switch event {
    case .command(let command): obey(command, now)
    case .previewRequested: preview()
    case .resumeAfterCrashRequested(let windowLeft): resumeAfterCrash(windowLeft, now)
    case .devicesOpened(let number): devicesOpened(number)
    case .devicesFailed(let number): devicesFailed(number)
    case .firstAttemptsDecided(let number): attemptsDecided(number)
    case .gatePassed(let number): gatePassed(number)
    case .gateRefused(let number): gateRefused(number)
    case .paused(let number): paused(number)
    case .closed(let number): closed(number)
    case .timerFired(let number): fire(number)
    case .interruptionBegan(let cause): interrupt(cause, now)
    case .interruptionEnded(let cause): interruptionEnded(cause)
    case .timeWasUp: broadcastIsOver(.duration)
    case .sessionWasOver: end(.duration)
    case .sourcesEnded: sourcesEnded()
    case .failed: broadcastIsOver(.failed)
    }
  }
}
