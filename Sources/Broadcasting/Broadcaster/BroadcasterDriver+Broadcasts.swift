import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRecording

struct RunningBroadcast {
  enum Stage {
    case opening(Int)
    case onAir
    case pausing(Int)
    case closing(Int, isRefused: Bool)
  }

  let id: String
  var stage: Stage

  var isClosing: Bool { if case .closing = stage { true } else { false } }
}

// MARK: - Broadcasts

extension BroadcasterDriver {
  var newest: Int? { running.keys.max() }

  mutating func post(_ request: BroadcastRequest) {
    if let newest { _ = environment.post(request, to: newest) }
  }

  mutating func write(_ entry: JournalEntry) {
    if let newest { environment.write(entry, toJournalOf: newest) }
  }

  mutating func advance(to stage: RunningBroadcast.Stage, _ request: BroadcastRequest) {
    guard let newest else { return }
    running[newest]?.stage = stage
    post(request)
  }

  mutating func handle(_ answer: BroadcastAnswer, of number: Int) {
    guard let one = running[number] else { return }
    if case .ended(let outcome) = answer { return end(number, one, outcome) }
    guard number == newest else { return }
    switch (answer, one.stage) {
    case (.attemptsDecided, .opening(let begin)): handle(.firstAttemptsDecided(begin))
    case (.paused, .pausing(let pause)): handle(.paused(pause))
    case (.over(let reason), .opening), (.over(let reason), .onAir), (.over(let reason), .pausing):
      switch reason {
      case .duration: handle(.maxDurationReached)
      case .sourceEnded: handle(.sourcesEnded)
      case .failed: handle(.failed)
      case .stopped, .background, .windowClosed, .interruptedStart, .crash, .gateRefused, .gateTimedOut: break
      }
    case (.attemptsDecided, _), (.paused, _), (.over, .closing), (.ended, _): break
    }
  }

  private mutating func end(_ number: Int, _ one: RunningBroadcast, _ outcome: Broadcast.Outcome) {
    running[number] = nil
    environment.release(number, outcome)
    guard case .closing(let close, let isRefused) = one.stage else { return status.failure = outcome.failure }
    status.failure = outcome.failure ?? (isRefused ? gateError.map(BroadcastError.gate) : nil)
    handle(.closed(close))
  }
}

// MARK: - Session time

extension BroadcasterDriver {
  mutating func handle(_ event: SessionTimer.Event) {
    perform(session.handle(event, at: now.sinceBoot))
  }

  mutating func extend(by more: MediaTime, request: String) -> ExtensionAnswer {
    let (result, actions) = session.extend(by: more, request: request, at: now.sinceBoot)
    perform(actions)
    return ExtensionAnswer(result: result, status: TimerStatus(session, at: now.sinceBoot, wall: now.wall))
  }

  private mutating func perform(_ actions: [SessionTimer.Action]) {
    status.session = session
    for action in actions {
      switch action {
      case .report(let change):
        report(.timer(change, TimerStatus(session, at: now.sinceBoot, wall: now.wall)))
      case .keep: writeSession()
      case .end: handle(.sessionExpired)
      }
    }
  }

  /// Journals the session for crash recovery.
  private mutating func writeSession() {
    guard let length = session.length, let startedAt = session.startedAt else { return }
    write(
      .session(
        JournaledSession(
          elapsed: now.sinceBoot - startedAt, uncounted: session.uncounted, length: length,
          requests: session.requests)))
  }
}

// MARK: - Gate

extension BroadcasterDriver {
  mutating func askGate(_ number: Int) {
    guard let newest else { return }
    asked = number
    gateError = nil
    reportGate(.asked)
    environment.askGate(number, about: newest, machine.state == .starting ? .start : .resume)
  }

  mutating func gateAnswered(_ number: Int, _ error: GateError?) {
    guard asked == number else { return }
    asked = nil
    reportGate(error == nil ? .passed : .refused, error?.underlying.map { "\($0)" })
    gateError = error
    handle(error == nil ? .gatePassed(number) : .gateRefused(number))
  }

  mutating func gateTimedOut() {
    reportGate(.timedOut)
    gateError = GateError(.timedOut)
  }

  private mutating func reportGate(_ verdict: BroadcastEvent.GateVerdict, _ reason: String? = nil) {
    guard newest != nil else { return }
    write(.gate(verdict: verdict.rawValue, reason: reason))
    status.gate = GateStatus(state: .init(verdict), reason: reason)
    report(.gate(verdict, reason: reason))
  }
}
