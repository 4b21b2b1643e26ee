import HoldfastMediaModel
import TestRandomness

@testable import HoldfastLifecycle

/// A machine, its clock and its timer, driven by a test; it checks what must hold whatever happens.
struct OutputStory: Hashable {
  var machine: OutputLifecycle
  var now = MonotonicTime(nanoseconds: 0)
  private var randomness: SplitMix64
  var actions: [OutputLifecycle.Action] = []
  /// The timers that were set and neither cancelled nor fired.
  private(set) var timers: [Int: MonotonicTime] = [:]
  /// A publish is requested or in progress.
  private(set) var isOpen = false
  /// The connection is made without a publish.
  private var isPrepared = false
  private(set) var hasPublished = false
  private(set) var condition: OutputLifecycle.Condition?
  private(set) var problems: [String] = []

  init(
    publishType: PublishType = .record, hasPublished: Bool = false, giveUpAfter: MediaTime? = nil,
    acceptsRefusals: Bool = true, policy: RetryPolicy = RetryPolicy(), seed: UInt64 = 1
  ) {
    machine = OutputLifecycle(
      publishType: publishType, hasPublished: hasPublished, policy: policy, giveUpAfter: giveUpAfter,
      acceptsRefusals: acceptsRefusals)
    self.hasPublished = hasPublished
    randomness = SplitMix64(seed: seed)
  }

  /// An output with the usual settings, after these events.
  init(after events: [OutputLifecycle.Event]) {
    self.init()
    for event in events { handle(event) }
  }

  mutating func handle(_ events: OutputLifecycle.Event...) { for event in events { handle(event) } }

  @discardableResult mutating func handle(_ event: OutputLifecycle.Event) -> [OutputLifecycle.Action] {
    if event == .proven, machine.awaitsProof { hasPublished = true }
    let new = machine.handle(event, at: now, using: &randomness)
    for action in new { follow(action) }
    actions += new
    check(after: event)
    return new
  }

  /// Lets the time of the next timer come.
  mutating func fireTimer() {
    guard let (number, at) = timers.min(by: { $0.value < $1.value }) else { return }
    timers[number] = nil
    now = max(now, at)
    handle(.timerFired(number))
  }

  var publishTypes: [PublishType] {
    actions.compactMap { action in if case .open(let type) = action { type } else { nil } }
  }

  private mutating func follow(_ action: OutputLifecycle.Action) {
    switch action {
    case .prepare:
      if isOpen { problems.append("a second connection at once") }
      (isOpen, isPrepared) = (true, true)
    case .open(let type):
      if isOpen, !isPrepared { problems.append("a second publish at once") }
      if type != (hasPublished ? .append : .record), type != .live {
        problems.append("\(type) though it has \(hasPublished ? "" : "not ")published before")
      }
      (isOpen, isPrepared) = (true, false)
    case .close, .drop:
      if !isOpen { problems.append("closed what was not open") }
      (isOpen, isPrepared) = (false, false)
    case .setTimer(let number, let delay):
      if timers[number] != nil { problems.append("timer \(number) set twice") }
      timers[number] = now + delay
    case .cancelTimer(let number):
      if timers.removeValue(forKey: number) == nil {
        problems.append("timer \(number) cancelled but not set")
      }
    case .report(let condition): self.condition = condition
    }
  }

  private mutating func check(after event: OutputLifecycle.Event) {
    if event == .pauseRequested, isOpen || !timers.isEmpty { problems.append("not at rest while paused") }
    if timers.count > 1 { problems.append("two timers at once") }
    let shouldBeOpen =
      switch machine.state {
      case .preparing, .prepared, .connecting, .proving, .publishing, .stalled: true
      case .closed, .reconnecting, .waiting, .refused, .paused: false
      }
    if isOpen != shouldBeOpen { problems.append("\(machine.state) with isOpen \(isOpen)") }
    if case .waiting = machine.state, timers.isEmpty { problems.append("waits for nothing") }
    if case .paused = machine.state, !timers.isEmpty { problems.append("paused with a timer") }
    if machine.state == .closed, !timers.isEmpty { problems.append("closed with a timer") }
  }
}
