import HoldfastMediaModel

extension Lifecycle {
  /// The phase of the process; the numbers are those of pending actions and timers.
  enum Phase: Hashable {
    case idle
    case previewing
    /// A new broadcast begins once the devices are open and the last broadcast is closed.
    case starting
    /// The outputs connect without publishing, so that the gate decides first.
    case preparing(Int)
    case awaitingGate(Question)
    /// The outputs publish as soon as they can; nothing is reported as live yet. The timer is the start's limit.
    case goingLive(timer: Int?)
    case live
    case pausing(Interruption, Int)
    case paused(Interruption)
    /// Ready to resume, except for the gate's answer.
    case awaitingGateToResume(Interruption, Question)
    /// Interrupted before going live; a return starts from the beginning.
    case startInterrupted(Interruption)
    case backgrounded(Return)
    case ending(EndReason)
    case ended(EndReason)
  }

  struct Interruption: Hashable {
    var cause: Cause
    let resumableUntil: MonotonicTime
    /// The number of the resume window's timer.
    let window: Int
  }

  /// The pending question to the gate.
  struct Question: Hashable {
    let number: Int
    /// The gate is running; one that never runs must not let anything pass.
    var hasBegun = false
  }

  enum Background: Hashable {
    case user, sleep
  }

  enum Return: Hashable {
    case preview, broadcast
  }

  enum Devices: Hashable {
    case closed
    case opening(Int)
    case open
    /// Opening failed; the timer triggers the next attempt.
    case waiting(Int)
  }
}

extension Lifecycle.Phase {
  var state: Lifecycle.State {
    switch self {
    case .idle: .idle
    case .previewing: .previewing
    case .starting, .preparing, .awaitingGate, .goingLive: .starting
    case .live: .live
    case .pausing(let interruption, _), .paused(let interruption), .awaitingGateToResume(let interruption, _),
      .startInterrupted(let interruption):
      .interrupted(interruption.cause, resumableUntil: interruption.resumableUntil)
    case .backgrounded: .backgrounded
    case .ending: .ending
    case .ended(let reason): .ended(reason)
    }
  }

  var interruption: Lifecycle.Interruption? {
    get {
      switch self {
      case .pausing(let interruption, _), .paused(let interruption),
        .awaitingGateToResume(let interruption, _), .startInterrupted(let interruption):
        interruption
      case .idle, .previewing, .starting, .preparing, .awaitingGate, .goingLive, .live, .backgrounded,
        .ending, .ended:
        nil
      }
    }
    set {
      guard let newValue else { return }
      switch self {
      case .pausing(_, let number): self = .pausing(newValue, number)
      case .paused: self = .paused(newValue)
      case .awaitingGateToResume(_, let question): self = .awaitingGateToResume(newValue, question)
      case .startInterrupted: self = .startInterrupted(newValue)
      case .idle, .previewing, .starting, .preparing, .awaitingGate, .goingLive, .live, .backgrounded,
        .ending, .ended:
        break
      }
    }
  }

  var question: Lifecycle.Question? {
    get {
      switch self {
      case .awaitingGate(let question), .awaitingGateToResume(_, let question): question
      case .idle, .previewing, .starting, .preparing, .goingLive, .live, .pausing, .paused,
        .startInterrupted, .backgrounded, .ending, .ended:
        nil
      }
    }
    set {
      guard let newValue else { return }
      switch self {
      case .awaitingGate: self = .awaitingGate(newValue)
      case .awaitingGateToResume(let interruption, _): self = .awaitingGateToResume(interruption, newValue)
      case .idle, .previewing, .starting, .preparing, .goingLive, .live, .pausing, .paused,
        .startInterrupted, .backgrounded, .ending, .ended:
        break
      }
    }
  }

  func isBeforeGate(asksOnResume: Bool) -> Bool {
    switch self {
    case .idle, .previewing, .starting, .preparing, .awaitingGate, .awaitingGateToResume, .startInterrupted,
      .backgrounded:
      true
    case .pausing, .paused: asksOnResume
    case .goingLive, .live, .ending, .ended: false
    }
  }

  var timers: [Int] {
    switch self {
    case .preparing(let number): [number]
    case .goingLive(let timer): timer.map { [$0] } ?? []
    case .awaitingGate(let question): [question.number]
    case .pausing(let interruption, let number): [interruption.window, number]
    case .awaitingGateToResume(let interruption, let question): [interruption.window, question.number]
    case .paused(let interruption), .startInterrupted(let interruption): [interruption.window]
    case .idle, .previewing, .starting, .live, .backgrounded, .ending, .ended: []
    }
  }

  var hasBroadcast: Bool {
    switch self {
    case .preparing, .awaitingGate, .goingLive, .live, .pausing, .paused, .awaitingGateToResume: true
    case .idle, .previewing, .starting, .startInterrupted, .backgrounded, .ending, .ended: false
    }
  }

  /// A broadcast is in progress or requested.
  var isInSession: Bool { !isBetweenSessions && !isOver }

  var isBetweenSessions: Bool { [.idle, .previewing, .backgrounded(.preview)].contains(self) }

  var isOver: Bool {
    switch state {
    case .ending, .ended: true
    case .idle, .previewing, .starting, .live, .interrupted, .backgrounded: false
    }
  }

  var needsDevices: Bool {
    switch state {
    case .previewing, .starting, .live, .interrupted: true
    case .idle, .backgrounded, .ending, .ended: false
    }
  }
}

extension Lifecycle.Devices {
  var closing: [Lifecycle.Action] {
    switch self {
    case .closed: []
    case .opening, .open: [.closeDevices]
    case .waiting(let timer): [.cancelTimer(timer)]
    }
  }
}
