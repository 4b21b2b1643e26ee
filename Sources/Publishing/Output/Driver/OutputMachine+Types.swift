import HoldfastLifecycle
package import HoldfastMediaModel

extension OutputMachine {
  /// Commands to an output, and outcomes from its environment.
  package enum Event: Hashable, Sendable {
    case track(Track)
    /// Connect without publishing.
    case prepare
    /// Publish, or continue after a pause.
    case publish
    case pause, stop
    case networkChanged
    /// Nil: publish nowhere until there is another one.
    case move(to: OutputAddress?)
    case limit(BitrateController.Limits)
    case send(CustomEvent)
    case timerFired(Int)

    case prepared(Int)
    /// `lost` is what the server has not received of the former connection.
    case connected(Int, lost: OutputLoss = OutputLoss())
    case failed(Int, SinkError)
    /// The connection's first media is sent; `lost` is what was dropped before it.
    case mediaSent(Int, lost: OutputLoss)
    case exchanged(Int, OutputReading)
    /// The server keeps the session until `publish`.
    case suspended(Int, OutputEnd)
    case disconnected(Int, OutputEnd)
  }

  package enum Action: Hashable {
    case prepare(Int, to: OutputAddress, PublishRequest)
    case connect(Int, to: OutputAddress, PublishRequest)
    case resume(Int)
    case begin(isFresh: Bool)
    /// The connection goes on with other headers.
    case change(to: [Track])
    case hold(Bool)
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
    /// Connected; only the publish is left.
    case prepared
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
      case .disconnected, .prepared, .open, .suspended: true
      case .awaitingTracks, .connecting, .resuming, .closing, .finishing, .finished: false
      }
    }
  }
}

/// How a connection ended.
package struct OutputEnd: Hashable, Sendable {
  package var lost: OutputLoss
  /// Sent, but not confirmed so far; `connected` settles it.
  package var unsettled: OutputLoss
  /// How far the last packet that the server has may be behind its latest one; nil if nothing was sent.
  package var lag: MediaTime?
  /// The server has taken everything and the good-bye, as far as can be known.
  package var isOrderly: Bool

  package init(
    lost: OutputLoss = OutputLoss(), unsettled: OutputLoss = OutputLoss(), lag: MediaTime? = nil,
    isOrderly: Bool = false
  ) {
    (self.lost, self.unsettled, self.lag, self.isOrderly) = (lost, unsettled, lag, isOrderly)
  }
}
