/// How the gate stands. The raw values of its state are a stable interface.
public struct GateStatus: Hashable, Sendable {
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// There is none, or it has not been asked.
    case none
    case waiting, passed, refused, timedOut
  }

  public var state = State.none
  /// Why it refused.
  public var reason: String?
  /// Somebody can answer over the control API.
  public var awaitsReady = false
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
