/// Decides whether a broadcast may go live. Asked once every output has connected, was refused or has failed
/// once, and before anything is published, recorded or sent; optionally also before an interrupted broadcast resumes.
package protocol GoLiveGate: Sendable {
  /// Returns if the broadcast may go live, throws the reason if not. The task is cancelled when the verdict
  /// is no longer needed, because of a timeout or a withdrawn start.
  func authorize(_ broadcast: BroadcastInfo) async throws
}

package struct BroadcastInfo: Hashable, Sendable {
  package enum Occasion: String, Hashable, Sendable, CaseIterable {
    case start, resume
  }

  package var id: String
  package var name: String
  package var occasion = Occasion.start
  package var outputs: [String] = []
  package var recordingDirectory: String?

  package init(
    id: String, name: String, occasion: Occasion = .start, outputs: [String] = [],
    recordingDirectory: String? = nil
  ) {
    self.id = id
    self.name = name
    self.occasion = occasion
    self.outputs = outputs
    self.recordingDirectory = recordingDirectory
  }
}

package struct GateError: Error, Sendable, CustomStringConvertible {
  package enum Verdict: String, Hashable, Sendable {
    case refused
    case timedOut
  }

  package let verdict: Verdict
  /// The error thrown by the gate; nil on a timeout.
  package let underlying: (any Error)?

  package init(_ verdict: Verdict, underlying: (any Error)? = nil) {
    self.verdict = verdict
    self.underlying = underlying
  }

  package var description: String {
    switch verdict {
    case .refused: "the gate refused\(underlying.map { ": \($0)" } ?? "")"
    case .timedOut: "the gate did not answer in time"
    }
  }
}

/// Refuses a broadcast whose gate could not be run at all.
struct GateNotBegun: Error, CustomStringConvertible {
  var description: String { "it did not begin within its time limit: the machine is overloaded" }
}

/// The state of the gate. The raw values are a stable interface.
package struct GateStatus: Hashable, Sendable {
  package enum State: String, Hashable, Sendable, CaseIterable {
    /// There is no gate, or it has not been asked.
    case none
    case waiting, passed, refused, timedOut
  }

  package var state = State.none
  package var reason: String?
  /// Who said ready or not, if people are asked.
  package var by: String?
  /// Somebody's answer is waited for.
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
