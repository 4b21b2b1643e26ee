@testable import HoldfastLifecycle

/// A story with the lowest numbers that there can be: stories that differ in nothing else have the same shape.
struct LifecycleShape: Hashable {
  private var story: LifecycleStory
  private let phase: Lifecycle.Phase
  private let devices: Lifecycle.Devices
  private let closing: Int?
  private let causes: [Lifecycle.Cause]
  private let flags: [Bool]

  init(_ story: LifecycleStory) {
    let machine = story.machine
    let order = machine.numbersAwaited.sorted()
    func rename(_ number: Int) -> Int { (order.firstIndex(of: number) ?? order.count) + 1 }
    phase = machine.phase.renumbered(rename)
    devices =
      switch machine.devices {
      case .opening(let number): .opening(rename(number))
      case .waiting(let number): .waiting(rename(number))
      case .closed, .open: machine.devices
      }
    closing = machine.closing.map(rename)
    causes = machine.causes
    flags = [
      machine.backgrounds.contains(.user), machine.backgrounds.contains(.sleep), machine.hasPreview,
      machine.expectsDevices, machine.hasBeenLive,
    ]
    self.story = story.renumbered(rename)
    self.story.machine = Lifecycle(machine.settings)
  }

  /// How many properties a machine has: its settings and last number do not change its shape.
  static let propertyCount = 10
}

extension Lifecycle {
  /// The numbers that may still come back.
  var numbersAwaited: [Int] {
    let pending: [Int?] =
      switch devices {
      case .opening(let number), .waiting(let number): [number, closing]
      case .closed, .open: [closing]
      }
    return phase.timers + pending.compactMap(\.self)
  }
}

extension Lifecycle.Phase {
  fileprivate func renumbered(_ rename: (Int) -> Int) -> Self {
    switch self {
    case .preparing(let number): .preparing(rename(number))
    case .awaitingGate(let question): .awaitingGate(question.renumbered(rename))
    case .goingLive(let timer): .goingLive(timer: timer.map(rename))
    case .pausing(let interruption, let number): .pausing(interruption.renumbered(rename), rename(number))
    case .paused(let interruption): .paused(interruption.renumbered(rename))
    case .awaitingGateToResume(let interruption, let question):
      .awaitingGateToResume(interruption.renumbered(rename), question.renumbered(rename))
    case .startInterrupted(let interruption): .startInterrupted(interruption.renumbered(rename))
    case .idle, .previewing, .starting, .live, .backgrounded, .ending, .ended: self
    }
  }
}

extension Lifecycle.Question {
  fileprivate func renumbered(_ rename: (Int) -> Int) -> Self {
    Self(number: rename(number), hasBegun: hasBegun)
  }
}

extension Lifecycle.Interruption {
  fileprivate func renumbered(_ rename: (Int) -> Int) -> Self {
    Self(cause: cause, resumableUntil: resumableUntil, window: rename(window))
  }
}

extension LifecycleStory {
  fileprivate func renumbered(_ rename: (Int) -> Int) -> LifecycleStory {
    var copy = self
    copy.timers = Dictionary(uniqueKeysWithValues: timers.map { (rename($0.key), $0.value) })
    copy.closing = closing.map(rename)
    copy.gate = gate.map(rename)
    if case .opening(let number) = devices { copy.devices = .opening(rename(number)) }
    switch broadcast {
    case .preparing(let number): copy.broadcast = .preparing(rename(number))
    case .pausing(let number): copy.broadcast = .pausing(rename(number))
    case .open, .live, .paused, nil: break
    }
    return copy
  }
}
