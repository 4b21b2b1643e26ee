package import HoldfastMediaModel

/// The lifecycle of one process: when it broadcasts, and what happens to an interrupted broadcast.
///
/// A value without a clock, a device or a thread: events go in, actions come out, and none of them blocks. An
/// action with an answer or a time limit has a number, which both repeat; outdated numbers are ignored.
package struct Lifecycle: Hashable, Sendable {
  /// A change applies to what begins later.
  package var settings: Settings
  var phase = Phase.idle
  var devices = Devices.closed
  /// The current interruptions, the newest last.
  var causes: [Cause] = []
  var isInBackground = false
  /// A broadcast returns to its preview when it ends.
  var hasPreview = false
  /// Devices have been open before, so a failed opening is retried; otherwise it ends the process' life.
  var expectsDevices = false
  /// The number of the pending close.
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

  /// Nothing is open or being closed: the machine may sleep, the process may be stopped.
  package var isAtRest: Bool { devices == .closed && closing == nil }

  /// No broadcast is in progress or requested; the next one begins another session.
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
