internal import Lifecycle
internal import MediaModel
internal import Platform

/// What a broadcaster's thread does: it drives the machine, and the broadcasts that the machine asks for.
struct BroadcasterRun {
  /// A broadcast that has begun, and what is to be answered about it.
  private struct Running {
    let broadcast: Broadcast
    let begin: Int
    var pause: Int?
    var close: Int?
    var isOver = false
  }

  private let make: (Int) -> Broadcast
  private let tell: (BroadcastEvent, String?) -> Void
  private let show: (Lifecycle.State, String?) -> Void
  private let finish: (Broadcast.Outcome) -> Void
  private var machine: Lifecycle
  private var timers: [Int: MonotonicTime] = [:]
  /// Events whose actions are not yet carried out; the first one's are just now.
  private var pending: [Lifecycle.Event] = []
  /// By their numbers, the newest with the highest; an older one may still be closing.
  private var running: [Int: Running] = [:]
  private var broadcasts = 0
  private var cause = Gap.Cause.user
  /// Who waits until nothing is open any more.
  private var waiting: [@Sendable () -> Void] = []
  /// The last broadcast's.
  private(set) var failure: BroadcastError?

  init(
    _ settings: Lifecycle.Settings, make: @escaping (Int) -> Broadcast,
    tell: @escaping (BroadcastEvent, String?) -> Void,
    show: @escaping (Lifecycle.State, String?) -> Void, finish: @escaping (Broadcast.Outcome) -> Void
  ) {
    machine = Lifecycle(settings)
    self.make = make
    self.tell = tell
    self.show = show
    self.finish = finish
  }

  var isOver: Bool {
    if case .ended = machine.state { return running.isEmpty }
    return false
  }

  var nextTimer: MonotonicTime? { timers.values.min() }

  mutating func fireTimers() {
    for (number, at) in timers.sorted(by: { $0.value < $1.value }) where at <= .now {
      guard timers.removeValue(forKey: number) != nil else { continue }
      handle(.timerFired(number))
    }
  }

  mutating func handle(_ event: Broadcaster.Event) {
    switch event {
    case .asked(let event):
      if event == .becameActive { waiting = [] }
      handle(event)
    case .reached(let number, let milestone): handle(milestone, of: number)
    case .ended(let number, let outcome): end(number, outcome)
    case .backgroundAsked(let atRest):
      waiting.append(atRest)
      handle(.wentToBackground)
    }
    callAtRest()
  }

  /// What an action leads to at once comes after all actions of its event.
  mutating func handle(_ event: Lifecycle.Event) {
    pending.append(event)
    guard pending.count == 1 else { return }
    while let next = pending.first {
      for action in machine.handle(next, at: .now) { perform(action) }
      pending.removeFirst()
    }
  }

  private mutating func callAtRest() {
    switch machine.state {
    case .idle, .backgrounded, .ended: break
    case .previewing, .starting, .live, .interrupted, .ending: return
    }
    guard !waiting.isEmpty, machine.isAtRest, running.isEmpty else { return }
    let calls = waiting
    waiting = []
    for call in calls { call() }
  }
}

// MARK: - What the machine wants

extension BroadcasterRun {
  private mutating func perform(_ action: Lifecycle.Action) {
    switch action {
    // A broadcast opens its devices itself, and closes them at its end.
    case .openDevices(let number): handle(.devicesOpened(number))
    case .closeDevices, .takeUp, .askGate, .withdrawGate, .abandon: break
    case .begin(let number): begin(number)
    case .goLive: newest { $0.broadcast.goLive() }
    case .pause(let number):
      newest {
        $0.pause = number
        $0.broadcast.pause()
      }
    case .resume:
      let cause = cause
      newest { $0.broadcast.resume(after: cause) }
    case .close(let number, let reason): close(number, reason)
    case .setTimer(let number, let delay): timers[number] = .now + delay
    case .cancelTimer(let number): timers[number] = nil
    case .tell(let state): tell(state)
    }
  }

  private mutating func newest(_ change: (inout Running) -> Void) {
    guard let number = running.keys.max(), var one = running[number] else { return }
    change(&one)
    running[number] = one
  }

  private mutating func begin(_ number: Int) {
    broadcasts += 1
    let broadcast = make(broadcasts)
    running[broadcasts] = Running(broadcast: broadcast, begin: number)
    broadcast.start()
    show(machine.state, broadcast.id)
  }

  private mutating func close(_ number: Int, _ reason: Lifecycle.EndReason) {
    guard let newest = running.keys.max() else { return handle(.closed(number)) }
    running[newest]?.close = number
    running[newest]?.broadcast.stop(BroadcastEvent.EndReason(reason))
  }

  private mutating func tell(_ state: Lifecycle.State) {
    let id = running.keys.max().flatMap { running[$0]?.broadcast.id }
    show(state, id)
    switch state {
    case .previewing: tell(.previewing, id)
    case .interrupted(let cause, let until):
      self.cause = Gap.Cause(cause)
      let wall = wallClockNanoseconds() + (until - .now).nanoseconds
      tell(.interrupted(cause: cause, resumableUntil: WallTime(nanoseconds: wall)), id)
    case .backgrounded: tell(.backgrounded, id)
    // The broadcast itself says what becomes of it.
    case .idle, .starting, .live, .ending, .ended: break
    }
  }
}

// MARK: - What broadcasts tell

extension BroadcasterRun {
  private mutating func handle(_ milestone: Broadcast.Milestone, of number: Int) {
    guard let one = running[number], number == running.keys.max() else { return }
    switch milestone {
    case .attemptsDecided: handle(.firstAttemptsDecided(one.begin))
    case .paused: if let pause = one.pause { handle(.paused(pause)) }
    case .over(let reason):
      guard one.close == nil else { return }
      switch reason {
      case .duration: handle(.timeWasUp)
      case .sourceEnded: handle(.sourcesEnded)
      case .failed: handle(.failed)
      case .stopped, .background, .windowClosed, .interruptedStart: break
      }
    }
  }

  private mutating func end(_ number: Int, _ outcome: Broadcast.Outcome) {
    guard let one = running.removeValue(forKey: number) else { return }
    one.broadcast.join()
    failure = outcome.failure
    finish(outcome)
    if let close = one.close { handle(.closed(close)) }
  }
}

extension Gap.Cause {
  init(_ cause: Lifecycle.Cause) {
    switch cause {
    case .user: self = .user
    case .system: self = .system
    case .device: self = .device
    case .crash: self = .crash
    }
  }
}

extension BroadcastEvent.EndReason {
  init(_ reason: Lifecycle.EndReason) {
    switch reason {
    case .stopped: self = .stopped
    case .duration: self = .duration
    case .sourceEnded: self = .sourceEnded
    case .failed, .noDevice, .gateRefused, .gateTimedOut: self = .failed
    case .background: self = .background
    case .windowClosed: self = .windowClosed
    case .interruptedStart: self = .interruptedStart
    }
  }
}
