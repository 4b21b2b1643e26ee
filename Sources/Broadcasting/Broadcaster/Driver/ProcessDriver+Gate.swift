import HoldfastLifecycle
import HoldfastRecording

/// The question to the gate.
enum GateQuestion {
  case idle
  case asked(Int)
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

/// Asking the gate, and its answer.
extension ProcessDriver {
  mutating func askGate(_ number: Int) {
    guard let newest = broadcasts.newest else { return }
    gate = .asked(number)
    reportGate(.asked)
    environment.askGate(number, about: newest, machine.state == .starting ? .start : .resume)
  }

  mutating func gateTimedOut(_ number: Int) {
    guard case .asked(number) = gate else { return }
    if machine.gateHasBegun { reportGate(.timedOut) } else { reportGate(.refused, "\(GateNotBegun())") }
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
