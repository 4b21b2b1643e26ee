/// Says whether a broadcast may go live.
///
/// It is asked when every output has been accepted, refused or has failed once, and before anything is recorded or sent;
/// where that is configured, also before a broadcast that was interrupted goes on.
package protocol GoLiveGate: Sendable {
  /// Returns when the broadcast may go live, and throws why it may not.
  ///
  /// The task is cancelled when nobody waits for the verdict any more: the time for it is over, or the start has been
  /// taken back.
  func readyToGoLive(_ broadcast: BroadcastInfo) async throws
}

/// What a gate gets to know.
package struct BroadcastInfo: Hashable, Sendable {
  package enum Occasion: String, Hashable, Sendable, CaseIterable {
    case start, resume
  }

  package var id: String
  package var name: String
  package var occasion = Occasion.start
  package var outputs: [String] = []
  /// The folder that its recording goes to; nil for no recording.
  package var recordingDirectory: String?
}

/// Why a broadcast did not go live.
package struct GateError: Error, Sendable {
  package enum Verdict: String, Hashable, Sendable {
    case refused
    case timedOut
  }

  package let verdict: Verdict
  /// What the gate itself threw; nil where it said nothing.
  package let underlying: (any Error)?

  package init(_ verdict: Verdict, underlying: (any Error)? = nil) {
    self.verdict = verdict
    self.underlying = underlying
  }
}

extension GateError: CustomStringConvertible {
  package var description: String {
    switch verdict {
    case .refused: "the gate refused\(underlying.map { ": \($0)" } ?? "")"
    case .timedOut: "the gate gave no verdict in time"
    }
  }
}

/// How the gate stands. The raw values of its state are a stable interface.
package struct GateStatus: Hashable, Sendable {
  package enum State: String, Hashable, Sendable, CaseIterable {
    /// There is none, or it has not been asked.
    case none
    case waiting, passed, refused, timedOut
  }

  package var state = State.none
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
