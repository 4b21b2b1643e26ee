import HoldfastMediaModel

@testable import HoldfastLifecycle

/// A machine and the world that carries out its actions, driven by a test; it checks what must hold whatever happens.
///
/// It keeps no history, so that two stories that are alike are equal.
struct LifecycleStory: Hashable {
  /// How far the broadcast is that has been begun and not closed.
  enum Broadcast: Hashable { case open, preparing(Int), live, pausing(Int), paused }

  enum Devices: Hashable { case closed, opening(Int), open }

  var machine: Lifecycle
  var now = MonotonicTime(nanoseconds: 0)
  var timers: [Int: MonotonicTime] = [:]
  var devices = Devices.closed
  var broadcast: Broadcast?
  var closing: Int?
  var gate: Int?
  /// Media time has begun, and the broadcast has been reported as live.
  var hasGoneLive = false
  private(set) var problems: [String] = []
  private var told = Lifecycle.State.idle
  /// What holds a broadcast up, by what has been said: somebody's own interruption ends in other ways too.
  private var causes: Set<Lifecycle.Cause> = []
  private var isAway = false
  private var isAsleep = false

  init(_ settings: Lifecycle.Settings = Lifecycle.Settings()) { machine = Lifecycle(settings) }

  var state: Lifecycle.State { machine.state }

  @discardableResult mutating func handle(_ event: Lifecycle.Event) -> [Lifecycle.Action] {
    observe(event)
    let wasOver = isOver
    let actions = machine.handle(event, at: now)
    for (index, action) in actions.enumerated() {
      if case .report = action, index != actions.count - 1 { problems.append("told before it is done") }
      follow(action)
    }
    check(wasOver: wasOver)
    return actions
  }

  /// What the world can answer just now.
  var answers: [Lifecycle.Event] {
    var answers: [Lifecycle.Event] = []
    if case .opening(let number) = devices { answers += [.devicesOpened(number), .devicesFailed(number)] }
    if case .preparing(let number) = broadcast, gate == nil { answers.append(.prepared(number)) }
    if let gate { answers += [.gatePassed(gate), .gateRefused(gate), .gateBegan(gate)] }
    if broadcast == .live, !hasGoneLive { answers.append(.wentLive) }
    if case .pausing(let number) = broadcast {
      answers.append(hasGoneLive ? .paused(number) : .nothingBegun(number))
    }
    if let closing { answers.append(.closed(closing)) }
    return answers
  }

  private mutating func observe(_ event: Lifecycle.Event) {
    switch event {
    case .interruptionBegan(let cause): if cause != .device || devices == .open { causes.insert(cause) }
    case .interruptionEnded(let cause): causes.remove(cause)
    case .command(.interrupt): causes.insert(.user)
    case .command(.start), .command(.resume): causes.remove(.user)
    case .command(.background): isAway = isAway || state.canGoToBackground
    case .command(.foreground):
      (isAway, isAsleep) = (false, false)
      causes.remove(.user)
    case .devicesFailed(let number): if devices == .opening(number) { devices = .closed }
    case .devicesOpened(let number): if devices == .opening(number) { devices = .open }
    case .gatePassed(let number), .gateRefused(let number): if gate == number { gate = nil }
    case .wentLive: if broadcast == .live { hasGoneLive = true }
    case .paused(let number): if broadcast == .pausing(number) { broadcast = .paused }
    case .closed(let number): if closing == number { closing = nil }
    case .timerFired(let number):
      timers[number] = nil
      if closing == number { closing = nil }
      // A pause that takes too long is not waited for.
      if broadcast == .pausing(number) { broadcast = .paused }
    case .sleepBegan: isAsleep = isAsleep || state.canGoToBackground
    case .sleepEnded: isAsleep = false
    case .resumeAfterCrashRequested(_, let isOffAir): if isOffAir, isNew { causes.insert(.user) }
    case .offAirRequested(let offAir, _):
      guard isNew else { break }
      if offAir == .backgrounded { isAway = true } else { causes.insert(.user) }
    case .command(.end), .command(.stop), .previewRequested, .prepared, .gateBegan, .nothingBegun,
      .maxDurationReached, .sessionExpired, .sharedSessionOver, .sourcesEnded, .failed:
      break
    }
  }

  private mutating func expect(_ holds: Bool, _ problem: String) { if !holds { problems.append(problem) } }
}

// MARK: - The world

extension LifecycleStory {
  private mutating func follow(_ action: Lifecycle.Action) {
    switch action {
    case .openDevices(let number):
      expect(devices == .closed, "devices opened twice")
      devices = .opening(number)
    case .closeDevices:
      expect(devices != .closed, "closed devices that are not open")
      expect(broadcast == nil && closing == nil, "devices closed under a broadcast")
      devices = .closed
      causes.remove(.device)
    case .openBroadcast:
      expect(broadcast == nil && closing == nil, "a second broadcast at once")
      expectFreeWay()
      (broadcast, hasGoneLive) = (.open, false)
    case .prepare(let number):
      expect(broadcast == .open, "prepared what is not open")
      broadcast = .preparing(number)
    case .resumeAfterCrash:
      expect(broadcast == nil && closing == nil, "a second broadcast at once")
      (broadcast, hasGoneLive) = (.paused, true)
    case .askGate(let number):
      expect(gate == nil, "two gates")
      gate = number
    case .cancelGate:
      expect(gate != nil, "cancelled a gate that was not asked")
      gate = nil
    case .goLive:
      switch broadcast {
      case .open, .preparing: break
      case .live, .pausing, .paused, nil: problems.append("media time begins twice")
      }
      expectFreeWay()
      expect(gate == nil, "live before the gate has answered")
      broadcast = .live
    case .pause(let number):
      expect(broadcast == .live, "paused what is not live")
      broadcast = .pausing(number)
    case .resume:
      expect(broadcast == .paused, "resumed what is not paused")
      expect(gate == nil, "resumed before the gate has answered")
      expectFreeWay()
      broadcast = .live
    case .close(let number, _):
      expect(broadcast != nil, "closed what is not open")
      expect(gate == nil, "closed before the gate was cancelled")
      (broadcast, hasGoneLive) = (nil, false)
      closing = number
    case .setTimer(let number, let delay):
      expect(timers[number] == nil, "a timer that is set twice")
      timers[number] = now + delay
    case .cancelTimer(let number):
      expect(timers.removeValue(forKey: number) != nil, "cancelled a timer that is not set")
    case .report(let state):
      expect(state != told, "a state that is told twice")
      if told == .ending { expect(isOver, "an end that is taken back") }
      told = state
    }
  }

  private mutating func expectFreeWay() {
    expect(devices == .open, "begun or resumed without devices")
    expect(!isAway && !isAsleep, "begun or resumed in the background")
    expect(causes.isSubset(of: [.user]) && machine.causes.isEmpty, "begun or resumed while interrupted")
  }

  private mutating func check(wasOver: Bool) {
    expect(told == state, "a state that is not told")
    if wasOver { expect(isOver, "something after the end") }
    expect(timers.keys.allSatisfy(machine.numbersAwaited.contains), "a timer that nobody awaits")
    expect(devices == .open || !machine.causes.contains(.device), "devices that are not open interrupt")
    if isAway || isAsleep { expect(broadcast == nil, "a broadcast in the background") }
    expectOffAir()
    expectNothingForgotten()
    switch state {
    case .idle, .backgrounded, .ending: expect(broadcast == nil, "a broadcast where there is none")
    case .previewing: expect(broadcast == nil, "a preview with a broadcast")
    case .starting: expect(broadcast != .live || !machine.hasBeenLive, "starting though it is live")
    case .live:
      expect(broadcast == .live && hasGoneLive, "live without a broadcast")
      expect(machine.causes.isEmpty && !isAway && !isAsleep, "live while interrupted")
    case .interrupted: expect(broadcast != .live, "interrupted and live")
    case .ended:
      expect(broadcast == nil && closing == nil && gate == nil, "something is left open")
      expect(devices == .closed && timers.isEmpty, "something is left over")
    }
  }

  /// Checks that everything that can proceed does.
  private mutating func expectNothingForgotten() {
    guard machine.causes.isEmpty, !isAway, !isAsleep else { return }
    let isReady = devices == .open && closing == nil
    switch state {
    case .starting: expect(!isReady || broadcast != nil, "nothing is begun")
    case .interrupted:
      if case .pausing = broadcast { return }
      expect(!isReady || gate != nil, "nothing is resumed")
    case .backgrounded: problems.append("did not come back")
    case .ending: expect(closing != nil, "did not end")
    case .idle, .previewing, .live, .ended: break
    }
    if state != .idle, devices == .closed, closing == nil, timers.isEmpty, !isOver {
      problems.append("nobody opens devices")
    }
  }

  private var isNew: Bool {
    switch state {
    case .idle, .previewing: closing == nil
    case .starting, .live, .interrupted, .backgrounded, .ending, .ended: false
    }
  }

  /// What is kept for a later process is what the user has asked for.
  private mutating func expectOffAir() {
    switch state {
    case .interrupted:
      expect(machine.offAir == (machine.causes.contains(.user) ? .interrupted : nil), "off air")
    case .backgrounded: if machine.offAir == .backgrounded { expect(isAway, "away without the user's word") }
    case .idle, .previewing, .starting, .live, .ending, .ended:
      expect(machine.offAir == nil, "off air though it is \(state)")
    }
  }

  private var isOver: Bool { if case .ended = state { true } else { false } }
}

extension Lifecycle.State {
  fileprivate var canGoToBackground: Bool {
    switch self {
    case .idle, .ending, .ended: false
    case .previewing, .starting, .live, .interrupted, .backgrounded: true
    }
  }
}

extension Lifecycle.Settings {
  static func gate(
    _ hasGate: Bool = true, passesOnTimeout: Bool = true, onResume: Bool = false,
    startTimeout: MediaTime? = nil
  ) -> Self {
    var settings = Self()
    (settings.hasGate, settings.asksGateOnResume) = (hasGate, onResume)
    (settings.passesOnGateTimeout, settings.startTimeout) = (passesOnTimeout, startTimeout)
    return settings
  }
}
