import HoldfastLifecycle
import HoldfastRecording

/// The question to the gates.
enum GateQuestion {
  case idle
  /// All gates but `ready` may have passed.
  case asked(Int, hasPassed: Bool)
  case refused(GateError)

  /// Why the gate ends a broadcast; nil if something else does.
  func error(of reason: Lifecycle.EndReason) -> GateError? {
    switch (reason, self) {
    case (.gateTimedOut, _): GateError(.timedOut)
    case (.gateNotBegun, _): GateError(.refused, underlying: GateNotBegun())
    case (.gateRefused, .refused(let error)): error
    case (_, .idle), (_, .asked), (_, .refused): nil
    }
  }
}

/// Asking the gates, and their answers.
extension ProcessDriver {
  mutating func askGate(_ number: Int) {
    guard let newest = broadcasts.newest else { return }
    gate = .asked(number, hasPassed: !hasGate)
    reportGate(.asked)
    if hasGate {
      environment.askGate(number, about: newest, machine.state == .starting ? .start : .resume)
    } else {
      handle(.gateBegan(number))
    }
    concludeGate()
  }

  mutating func cancelGate() {
    if case .asked = gate { gate = .idle }
    ready.discardAnswer()
    status.gate.awaitsReady = false
    if hasGate { environment.cancelGate() }
  }

  mutating func gateTimedOut(_ number: Int) {
    guard case .asked(number, _) = gate else { return }
    if machine.gateHasBegun { reportGate(.timedOut) } else { reportGate(.refused, "\(GateNotBegun())") }
  }

  mutating func gateAnswered(_ number: Int, _ error: GateError?) {
    guard case .asked(number, _) = gate else { return }
    if let error { return concludeGate(number, error) }
    gate = .asked(number, hasPassed: true)
    concludeGate()
  }

  mutating func take(_ answer: ReadyAnswer) -> ReadyResult {
    guard ready.isAwaited, machine.isGateAhead else { return .isNotAwaited(machine.state) }
    let isAsked = if case .asked = gate { true } else { false }
    if let refusal = ready.take(answer, isAsked: isAsked) { return refusal }
    if isAsked { status.gate.awaitsReady = false }
    concludeGate()
    return .accepted
  }

  /// A refusal counts at once, ready together with the other gates.
  private mutating func concludeGate() {
    guard case .asked(let number, let hasPassed) = gate else { return }
    switch ready.answer {
    case let answer? where !answer.isReady:
      if !hasPassed { environment.cancelGate() }
      concludeGate(number, GateError(.refused, underlying: NotReady(reason: answer.reason, by: answer.by)))
    case nil where ready.isAwaited: break
    case .some, nil: if hasPassed { concludeGate(number, nil) }
    }
  }

  private mutating func concludeGate(_ number: Int, _ error: GateError?) {
    if let error {
      reportGate(.refused, error.underlying.map { "\($0)" }, by: (error.underlying as? NotReady)?.by)
      gate = .refused(error)
    } else {
      reportGate(.passed, by: ready.answer?.by)
      gate = .idle
    }
    ready.discardAnswer()
    handle(error == nil ? .gatePassed(number) : .gateRefused(number))
  }

  private mutating func reportGate(
    _ verdict: BroadcastEvent.GateVerdict, _ reason: String? = nil, by person: String? = nil
  ) {
    guard broadcasts.newest != nil else { return }
    write(.gate(verdict: verdict.rawValue, reason: reason, by: person))
    status.gate = GateStatus(
      state: .init(verdict), reason: reason, by: person,
      awaitsReady: verdict == .asked && ready.isAwaited && ready.answer == nil)
    report(.gate(verdict, reason: reason, by: person))
  }
}
