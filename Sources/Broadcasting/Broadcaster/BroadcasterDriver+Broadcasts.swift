import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRecording

// MARK: - Broadcasts

extension BroadcasterDriver {
  mutating func post(_ request: BroadcastRequest) {
    if let newest = broadcasts.newest { _ = environment.post(request, to: newest) }
  }

  mutating func write(_ entry: JournalEntry) {
    if let newest = broadcasts.newest { environment.write(entry, toJournalOf: newest) }
  }

  mutating func advance(to stage: RunningBroadcast.Stage, _ request: BroadcastRequest) {
    broadcasts.advanceNewest(to: stage)
    post(request)
  }

  mutating func handle(_ answer: BroadcastAnswer, of number: BroadcastNumber) {
    guard let broadcast = broadcasts[number] else { return }
    if case .ended(let outcome) = answer { return end(number, broadcast.stage, outcome) }
    guard number == broadcasts.newest else { return }
    switch (answer, broadcast.stage) {
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

  private mutating func end(
    _ number: BroadcastNumber, _ stage: RunningBroadcast.Stage, _ outcome: Broadcast.Outcome
  ) {
    broadcasts.remove(number)
    environment.release(number, outcome)
    guard case .closing(let close, let refusal) = stage else { return status.failure = outcome.failure }
    status.failure = outcome.failure ?? refusal.map(BroadcastError.gate)
    handle(.closed(close))
  }
}

// MARK: - Session time

extension BroadcasterDriver {
  mutating func advanceSession(_ event: SessionTimer.Event) {
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

/// The question to the gate.
enum GateQuestion {
  case idle
  case asked(Int)
  case refused(GateError)

  /// Why the gate ends a broadcast; nil if something else does.
  func error(of reason: Lifecycle.EndReason) -> GateError? {
    switch (reason, self) {
    case (.gateTimedOut, _): GateError(.timedOut)
    case (.gateRefused, .refused(let error)): error
    case (_, .idle), (_, .asked), (_, .refused): nil
    }
  }
}

extension BroadcasterDriver {
  mutating func askGate(_ number: Int) {
    guard let newest = broadcasts.newest else { return }
    gate = .asked(number)
    reportGate(.asked)
    environment.askGate(number, about: newest, machine.state == .starting ? .start : .resume)
  }

  mutating func gateAnswered(_ number: Int, _ error: GateError?) {
    guard case .asked(number) = gate else { return }
    reportGate(error == nil ? .passed : .refused, error?.underlying.map { "\($0)" })
    gate = if let error { .refused(error) } else { .idle }
    handle(error == nil ? .gatePassed(number) : .gateRefused(number))
  }

  mutating func reportGate(_ verdict: BroadcastEvent.GateVerdict, _ reason: String? = nil) {
    guard broadcasts.newest != nil else { return }
    write(.gate(verdict: verdict.rawValue, reason: reason))
    status.gate = GateStatus(state: .init(verdict), reason: reason)
    report(.gate(verdict, reason: reason))
  }
}
