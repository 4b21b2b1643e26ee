package import HoldfastMediaModel

extension OutputLifecycle {
  package struct Condition: Hashable, Sendable {
    package enum State: String, Hashable, Sendable, CaseIterable {
      case connecting, publishing, stalled, waiting, refused, closed
    }

    package var state: State
    package var cause: Cause?
    package var retryIn: MediaTime?

    package init(_ state: State, cause: Cause? = nil, retryIn: MediaTime? = nil) {
      self.state = state
      self.cause = cause
      self.retryIn = retryIn
    }
  }

  package enum Cause: Hashable, Sendable {
    case failure(OutputFailure)
    /// The server hangs up before accepting: it refuses us, or the name is taken.
    case refusedOrTaken
    /// The time limit for retries has passed.
    case gaveUp
    /// The source's format or headers have changed, which needs another connection.
    case headersChanged
    /// The output goes on at another place.
    case addressChanged

    /// The name in event lines, a stable interface.
    package var name: String {
      switch self {
      case .failure(let failure): failure.rawValue
      case .refusedOrTaken: "refusedOrTaken"
      case .gaveUp: "gaveUp"
      case .headersChanged: "headersChanged"
      case .addressChanged: "addressChanged"
      }
    }
  }
}
