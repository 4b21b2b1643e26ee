import HoldfastMediaModel

// MARK: - Answers to actions, and timers

extension Lifecycle {
  mutating func devicesOpened(_ number: Int) -> [Action] {
    guard devices == .opening(number) else { return [] }
    devices = .open
    expectsDevices = true
    return []
  }

  mutating func devicesFailed(_ number: Int) -> [Action] {
    guard devices == .opening(number) else { return [] }
    guard expectsDevices else {
      devices = .closed
      return stop(.noDevice)
    }
    let timer = nextNumber()
    devices = .waiting(timer)
    return [.setTimer(timer, after: settings.deviceRetry)]
  }

  mutating func attemptsDecided(_ number: Int) -> [Action] {
    phase == .connecting(number) ? [.cancelTimer(number)] + askGate() : []
  }

  private mutating func askGate() -> [Action] {
    guard settings.hasGate else { return goLive() }
    let number = nextNumber()
    phase = .asking(number)
    return [.askGate(number), .setTimer(number, after: settings.gateLimit)]
  }

  mutating func askAgain(_ interruption: Interruption) -> [Action] {
    let number = nextNumber()
    phase = .askingAgain(interruption, number)
    return [.askGate(number), .setTimer(number, after: settings.gateLimit)]
  }

  private mutating func goLive() -> [Action] {
    phase = .live
    return [.goLive]
  }

  mutating func resume(_ interruption: Interruption) -> [Action] {
    phase = .live
    return [.cancelTimer(interruption.window), .resume]
  }

  mutating func gatePassed(_ number: Int) -> [Action] {
    switch phase {
    case .asking(number): return [.cancelTimer(number)] + goLive()
    case .askingAgain(let interruption, number): return [.cancelTimer(number)] + resume(interruption)
    case .idle, .previewing, .starting, .connecting, .asking, .live, .pausing, .paused, .askingAgain, .held,
      .backgrounded, .ending, .ended:
      return []
    }
  }

  mutating func gateRefused(_ number: Int) -> [Action] {
    switch phase {
    // The gate has answered, so there is no request to withdraw.
    case .asking(number), .askingAgain(_, number): return finish(.gateRefused).filter { $0 != .withdrawGate }
    case .idle, .previewing, .starting, .connecting, .asking, .live, .pausing, .paused, .askingAgain, .held,
      .backgrounded, .ending, .ended:
      return []
    }
  }

  mutating func paused(_ number: Int) -> [Action] {
    guard case .pausing(let interruption, number) = phase else { return [] }
    phase = .paused(interruption)
    return [.cancelTimer(number)]
  }

  mutating func closed(_ number: Int) -> [Action] {
    guard closing == number else { return [] }
    closing = nil
    return [.cancelTimer(number)]
  }

  mutating func fire(_ timer: Int) -> [Action] {
    if closing == timer {
      closing = nil
      return [.abandon]
    }
    if devices == .waiting(timer) {
      devices = .closed
      return []
    }
    // The timer has fired, so there is nothing to cancel.
    return limitReached(timer).filter { $0 != .cancelTimer(timer) }
  }

  private mutating func limitReached(_ timer: Int) -> [Action] {
    if phase.interruption?.window == timer { return background(.windowClosed) }
    switch phase {
    case .connecting(timer): return askGate()
    case .asking(timer): return settings.passesSilentGate ? [.withdrawGate] + goLive() : finish(.gateTimedOut)
    case .askingAgain(let interruption, timer):
      return settings.passesSilentGate ? [.withdrawGate] + resume(interruption) : finish(.gateTimedOut)
    case .pausing(_, timer): return paused(timer)
    case .idle, .previewing, .starting, .connecting, .asking, .live, .pausing, .paused, .askingAgain, .held,
      .backgrounded, .ending, .ended:
      return []
    }
  }
}
