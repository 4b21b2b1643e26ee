import HoldfastLifecycle
import HoldfastRecording

/// The true reasons that prevent a broadcast.
struct Holds {
  private(set) var user = Trouble()
  private(set) var system = Trouble()
  private(set) var away = Trouble()
  private(set) var asleep = Trouble()
  private(set) var gate = Trouble()
  private(set) var dead = Trouble()
  /// The user has stopped the broadcast.
  private(set) var rest = Trouble()
  private(set) var isLocked = false

  /// Records a user request that is valid in `state`.
  mutating func note(_ event: Lifecycle.Event, in state: Lifecycle.State, at now: Int64) {
    switch event {
    case .command(.interrupt): user.set(true, at: now)
    case .command(.resume): user.set(false, at: now)
    case .interruptionBegan(.system): lock(true, at: now)
    case .interruptionEnded(.system): lock(false, at: now)
    case .command(.end), .command(.stop): rest.set(true, at: now)
    case .command(.start):
      rest.set(false, at: now)
      switch state {
      case .idle, .previewing, .backgrounded: user.set(false, at: now)
      case .starting, .live, .interrupted, .ending, .ended: break
      }
    case .command(.background): if state.canGoToBackground { away.set(true, at: now) }
    case .sleepBegan: if state.canGoToBackground { asleep.set(true, at: now) }
    case .sleepEnded: asleep.set(false, at: now)
    case .command(.foreground):
      // This also applies after the resume window has closed.
      if away.since != nil || state == .backgrounded { user.set(false, at: now) }
      away.set(false, at: now)
      asleep.set(false, at: now)
    case .previewRequested, .resumeAfterCrashRequested, .offAirRequested, .devicesOpened, .devicesFailed,
      .prepared, .gateBegan, .gatePassed, .gateRefused, .wentLive, .paused, .nothingBegun, .closed,
      .timerFired, .interruptionBegan, .interruptionEnded, .maxDurationReached, .sessionExpired,
      .sharedSessionOver, .sourcesEnded, .failed:
      break
    }
  }

  mutating func lock(_ isLocked: Bool, at now: Int64) {
    self.isLocked = isLocked
    system.set(isLocked, at: now)
  }

  mutating func setGate(_ isAsked: Bool, at now: Int64) { gate.set(isAsked, at: now) }

  mutating func processEnded(at now: Int64) {
    user.set(false, at: now)
    away.set(false, at: now)
    asleep.set(false, at: now)
    gate.set(false, at: now)
    dead.set(true, at: now)
  }

  /// `offAir` is what the user had asked of the process before.
  mutating func processBegan(_ offAir: OffAirRecord?, at now: Int64) {
    if let offAir {
      if offAir.isBackgrounded { away.set(true, at: now) } else { user.set(true, at: now) }
    }
    dead.set(false, at: now)
    rest.set(false, at: now)
  }

  func all(until now: Int64) -> Spans {
    [user, system, away, asleep, gate, dead].reduce(Spans()) { $0.union($1.spans(until: now)) }
  }
}

extension Lifecycle.State {
  fileprivate var canGoToBackground: Bool {
    switch self {
    case .idle, .ending, .ended: false
    case .previewing, .starting, .live, .interrupted, .backgrounded: true
    }
  }
}
