@testable import HoldfastLifecycle

extension Lifecycle {
  /// The numbers that may still come back.
  var numbersAwaited: [Int] {
    var numbers: [Int] = []
    _ = renumbered {
      numbers.append($0)
      return $0
    }
    return numbers
  }

  func renumbered(_ rename: (Int) -> Int) -> Lifecycle {
    var copy = self
    copy.phase = phase.renumbered(rename)
    copy.devices =
      switch devices {
      case .opening(let number): .opening(rename(number))
      case .waiting(let number): .waiting(rename(number))
      case .closed, .open: devices
      }
    copy.closing = closing.map(rename)
    return copy
  }
}

extension Lifecycle.Phase {
  fileprivate func renumbered(_ rename: (Int) -> Int) -> Self {
    switch self {
    case .connecting(let number): .connecting(rename(number))
    case .asking(let number): .asking(rename(number))
    case .pausing(let interruption, let number): .pausing(interruption.renumbered(rename), rename(number))
    case .paused(let interruption): .paused(interruption.renumbered(rename))
    case .askingAgain(let interruption, let number):
      .askingAgain(interruption.renumbered(rename), rename(number))
    case .held(let interruption): .held(interruption.renumbered(rename))
    case .idle, .previewing, .starting, .live, .backgrounded, .ending, .ended: self
    }
  }
}

extension Lifecycle.Interruption {
  fileprivate func renumbered(_ rename: (Int) -> Int) -> Self {
    Self(cause: cause, resumableUntil: resumableUntil, window: rename(window))
  }
}

extension LifecycleStory {
  /// The same story with the lowest numbers that there can be: those of stories that differ in nothing else are equal.
  var renumbered: LifecycleStory {
    let order = machine.numbersAwaited.sorted()
    func rename(_ number: Int) -> Int { (order.firstIndex(of: number) ?? order.count) + 1 }
    var copy = self
    copy.machine = machine.renumbered(rename)
    copy.machine.numbers = order.count + 1
    copy.timers = Dictionary(uniqueKeysWithValues: timers.map { (rename($0.key), $0.value) })
    copy.closing = closing.map(rename)
    copy.gate = gate.map(rename)
    if case .opening(let number) = devices { copy.devices = .opening(rename(number)) }
    switch broadcast {
    case .begun(let number): copy.broadcast = .begun(rename(number))
    case .pausing(let number): copy.broadcast = .pausing(rename(number))
    case .live, .paused, nil: break
    }
    return copy
  }
}
