import HoldfastMediaModel

// MARK: - Transitions that have become possible

extension Lifecycle {
  /// Performs the transitions that an event has made possible.
  mutating func advance() -> [Action] {
    let actions = closeDevices()
    returnFromBackground()
    return actions + openDevices() + proceed()
  }

  private mutating func returnFromBackground() {
    guard case .backgrounded(let goal) = phase, !isInBackground else { return }
    switch goal {
    case .preview: phase = .previewing
    case .broadcast: if causes.isEmpty { phase = .starting }
    }
  }

  private mutating func openDevices() -> [Action] {
    guard phase.needsDevices, devices == .closed else { return [] }
    let number = nextNumber()
    devices = .opening(number)
    return [.openDevices(number)]
  }

  /// Devices stay open until the broadcast is closed.
  private mutating func closeDevices() -> [Action] {
    guard !phase.needsDevices, closing == nil else { return [] }
    // Whether they are present shows at the next opening.
    causes.removeAll { $0 == .device }
    defer { devices = .closed }
    return switch devices {
    case .closed: []
    case .opening, .open: [.closeDevices]
    case .waiting(let timer): [.cancelTimer(timer)]
    }
  }

  private mutating func proceed() -> [Action] {
    switch phase {
    case .held(let interruption) where causes.isEmpty:
      phase = .starting
      return [.cancelTimer(interruption.window)] + proceed()
    case .starting where devices == .open && closing == nil:
      let number = nextNumber()
      phase = .connecting(number)
      return [.begin(number), .setTimer(number, after: settings.attemptLimit)]
    case .paused(let interruption) where causes.isEmpty && devices == .open:
      return settings.hasGate && settings.asksGateAgain ? askAgain(interruption) : resume(interruption)
    case .askingAgain(let interruption, let number) where !causes.isEmpty || devices != .open:
      phase = .paused(interruption)
      return [.cancelTimer(number), .withdrawGate]
    case .ending(let reason) where isAtRest:
      phase = .ended(reason)
      return []
    case .idle, .previewing, .starting, .connecting, .asking, .live, .pausing, .paused, .askingAgain, .held,
      .backgrounded, .ending, .ended:
      return []
    }
  }
}

// MARK: - Ends

extension Lifecycle {
  /// Closes the broadcast, if any; the caller sets the next phase.
  mutating func leave(_ reason: EndReason) -> [Action] {
    switch phase {
    case .idle, .previewing, .starting, .backgrounded, .ending, .ended: []
    case .held(let interruption): [.cancelTimer(interruption.window)]
    case .connecting(let number): [.cancelTimer(number)] + close(reason)
    case .asking(let number): [.cancelTimer(number), .withdrawGate] + close(reason)
    case .live: close(reason)
    case .pausing(let interruption, let number):
      [.cancelTimer(interruption.window), .cancelTimer(number)] + close(reason)
    case .paused(let interruption): [.cancelTimer(interruption.window)] + close(reason)
    case .askingAgain(let interruption, let number):
      [.cancelTimer(interruption.window), .cancelTimer(number), .withdrawGate] + close(reason)
    }
  }

  private mutating func close(_ reason: EndReason) -> [Action] {
    let number = nextNumber()
    closing = number
    return [.close(number, reason), .setTimer(number, after: settings.drainLimit)]
  }

  /// Ends the broadcast; returns to the preview if there was one, else stops.
  mutating func finish(_ reason: EndReason) -> [Action] {
    guard hasPreview else { return stop(reason) }
    let actions = leave(reason)
    phase = isInBackground ? .backgrounded(.preview) : .previewing
    return actions
  }

  mutating func stop(_ reason: EndReason) -> [Action] {
    switch phase {
    case .ending, .ended:
      return []
    case .idle, .previewing, .starting, .connecting, .asking, .live, .pausing, .paused, .askingAgain, .held,
      .backgrounded:
      let actions = leave(reason)
      phase = .ending(reason)
      return actions
    }
  }
}
