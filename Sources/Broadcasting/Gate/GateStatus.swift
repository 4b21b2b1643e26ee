/// How the gate stands. The raw values of its state are a stable interface.
package struct GateStatus: Hashable, Sendable {
  package enum State: String, Hashable, Sendable, CaseIterable {
    /// There is none, or it has not been asked.
    case none
    case waiting, passed, refused, timedOut
  }

  package var state = State.none
  /// Why it refused.
  package var reason: String?
  /// Somebody can answer over the control API.
  package var awaitsReady = false
}

extension GateStatus.State {
  init(_ verdict: BroadcastEvent.GateVerdict) {
    switch verdict {
    case .asked: self = .waiting
    case .passed: self = .passed
    case .refused: self = .refused
    case .timedOut: self = .timedOut
    }
  }
}
