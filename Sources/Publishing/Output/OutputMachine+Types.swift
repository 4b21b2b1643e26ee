import HoldfastLifecycle
import HoldfastMediaModel

extension OutputMachine {
  enum Action: Hashable {
    case connect(Int, to: OutputAddress, PublishRequest)
    case resume(Int)
    case begin(isFresh: Bool)
    case send(CustomEvent)
    case close(Int, keepsSession: Bool)
    case drop(Int, keepsQueue: Bool)
    case requestKeyframe
    case setTimer(Int, at: MonotonicTime)
    case cancelTimer(Int)
    case report(Output.Event)
  }

  enum State: Hashable {
    /// A publish announces every track.
    case awaitingTracks
    case disconnected
    case connecting
    /// A server without the session gets a new connection with this publish type.
    case resuming(PublishType)
    case open(hasSentMedia: Bool)
    case suspended
    /// The lifecycle's remaining actions follow once the connection is closed.
    case closing(then: [OutputLifecycle.Action])
    /// Stopped; only the losses in the queue are awaited.
    case finishing
    case finished

    /// No outcome is awaited.
    var isSettled: Bool {
      switch self {
      case .disconnected, .open, .suspended: true
      case .awaitingTracks, .connecting, .resuming, .closing, .finishing, .finished: false
      }
    }
  }
}
