import HoldfastMediaModel

// MARK: - Requests

extension Lifecycle {
  mutating func obey(_ command: Command, _ now: MonotonicTime) -> [Action] {
    switch command {
    case .start: start(now)
    case .interrupt: interrupt(.user, now)
    case .resume: interruptionEnded(.user)
    case .background: goToBackground()
    case .foreground: becomeActive()
    case .end: end(.stopped)
    case .stop: stop(.stopped)
    }
  }

  mutating func preview() -> [Action] {
    guard phase == .idle else { return [] }
    hasPreview = true
    phase = .previewing
    return []
  }

  /// A start ends the user's own interruption; other causes may still block it.
  mutating func start(_ now: MonotonicTime) -> [Action] {
    switch phase {
    case .idle, .previewing:
      causes.removeAll { $0 == .user }
      guard let cause = causes.last else {
        phase = .starting
        return []
      }
      return hold(cause, now)
    case .backgrounded:
      causes.removeAll { $0 == .user }
      phase = .backgrounded(.broadcast)
      return []
    case .starting, .connecting, .asking, .live, .pausing, .paused, .askingAgain, .held, .ending, .ended:
      return []
    }
  }

  mutating func resumeAfterCrash(_ windowLeft: MediaTime, _ now: MonotonicTime) -> [Action] {
    guard phase == .idle || phase == .previewing, closing == nil else { return [] }
    expectsDevices = true
    let (interruption, timer) = interruption(.crash, window: windowLeft, now)
    phase = .paused(interruption)
    return [.resumeAfterCrash, timer]
  }

  mutating func end(_ reason: EndReason) -> [Action] {
    switch phase {
    case .previewing, .backgrounded(.preview), .ending, .ended: []
    case .idle, .starting, .connecting, .asking, .live, .pausing, .paused, .askingAgain, .held,
      .backgrounded(.broadcast):
      finish(reason)
    }
  }

  mutating func broadcastIsOver(_ reason: EndReason) -> [Action] {
    switch phase {
    case .connecting, .asking, .live, .pausing, .paused, .askingAgain: finish(reason)
    case .idle, .previewing, .starting, .held, .backgrounded, .ending, .ended: []
    }
  }

  /// Also stops a preview, which would have nothing left to show.
  mutating func sourcesEnded() -> [Action] {
    devices == .open && phase.needsDevices ? stop(.sourceEnded) : []
  }
}

// MARK: - Interruption and background

extension Lifecycle {
  /// A device interrupts only while devices are open; otherwise its absence shows when they are opened.
  mutating func interrupt(_ cause: Cause, _ now: MonotonicTime) -> [Action] {
    guard !causes.contains(cause), cause != .device || devices == .open else { return [] }
    causes.append(cause)
    switch phase {
    case .starting, .connecting, .asking:
      let actions = leave(.interruptedStart)
      return actions + hold(cause, now)
    case .live:
      let number = nextNumber()
      let (interruption, timer) = interruption(cause, window: settings.resumeWindow, now)
      phase = .pausing(interruption, number)
      return [.pause(number), .setTimer(number, after: settings.drainLimit), timer]
    case .idle, .previewing, .pausing, .paused, .askingAgain, .held, .backgrounded, .ending, .ended:
      return []
    }
  }

  mutating func interruptionEnded(_ cause: Cause) -> [Action] {
    causes.removeAll { $0 == cause }
    return []
  }

  mutating func goToBackground() -> [Action] {
    switch phase {
    case .idle, .ending, .ended:
      return []
    case .previewing, .backgrounded(.preview):
      isInBackground = true
      phase = .backgrounded(.preview)
      return []
    case .starting, .connecting, .asking, .live, .pausing, .paused, .askingAgain, .held,
      .backgrounded(.broadcast):
      isInBackground = true
      return background(.background)
    }
  }

  /// Becoming active also ends the user's own interruption, even after the resume window has closed.
  mutating func becomeActive() -> [Action] {
    guard isInBackground || phase == .backgrounded(.broadcast) else { return [] }
    isInBackground = false
    causes.removeAll { $0 == .user }
    return []
  }

  /// Ends the broadcast for good; a return begins a new one.
  mutating func background(_ reason: EndReason) -> [Action] {
    let actions = leave(reason)
    phase = .backgrounded(.broadcast)
    return actions
  }

  private mutating func hold(_ cause: Cause, _ now: MonotonicTime) -> [Action] {
    let (interruption, timer) = interruption(cause, window: settings.resumeWindow, now)
    phase = .held(interruption)
    return [timer]
  }

  private mutating func interruption(
    _ cause: Cause, window: MediaTime, _ now: MonotonicTime
  ) -> (Interruption, Action) {
    let number = nextNumber()
    return (
      Interruption(cause: cause, resumableUntil: now + window, window: number),
      .setTimer(number, after: window)
    )
  }
}
