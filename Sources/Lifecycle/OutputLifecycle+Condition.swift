public import MediaModel

extension OutputLifecycle {
  /// What is told of the output.
  public struct Condition: Hashable, Sendable {
    public enum State: String, Hashable, Sendable, CaseIterable {
      case connecting, publishing, stalled, waiting, refused, closed
    }

    public var state: State
    public var cause: Cause?
    public var retryIn: MediaTime?

    public init(_ state: State, cause: Cause? = nil, retryIn: MediaTime? = nil) {
      self.state = state
      self.cause = cause
      self.retryIn = retryIn
    }
  }

  public enum Cause: Hashable, Sendable {
    case failure(OutputFailure)
    /// The server hangs up before it accepts: it refuses us, or the name is taken.
    case refusedOrTaken
    /// It has been tried for as long as was asked for.
    case gaveUp

    /// As event lines write it, a stable interface.
    public var name: String {
      switch self {
      case .failure(let failure): failure.rawValue
      case .refusedOrTaken: "refusedOrTaken"
      case .gaveUp: "gaveUp"
      }
    }
  }
}
