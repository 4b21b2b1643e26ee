internal import HoldfastBroadcasting
internal import HoldfastLifecycle
internal import HoldfastMediaModel
internal import HoldfastPublishing

/// What has changed about one output.
public struct OutputChange: Hashable, Sendable {
  public let id: String
  /// The address without its secrets.
  public let address: String
  public let state: OutputState
  /// What happened, for a person.
  public let reason: String?
  /// Video and audio that it did not get, right before it went on publishing.
  public let lostVideo: Duration
  public let lostAudio: Duration

  init(_ inner: OutputReport) {
    id = inner.id
    address = inner.url
    state = OutputState(inner.condition)
    reason = inner.why
    lostVideo = Duration(inner.loss.video)
    lostAudio = Duration(inner.loss.audio)
  }
}

/// What an output is doing.
public enum OutputState: Hashable, Sendable {
  case connecting, publishing
  /// The server takes nothing.
  case stalled(OutputFailure?)
  /// It is tried again after this time.
  case waiting(OutputFailure?, retryIn: Duration?)
  /// Somebody has to change something first.
  case refused(OutputFailure?)
  case closed

  init(_ inner: OutputLifecycle.Condition) {
    let failure = inner.cause.map(OutputFailure.init)
    switch inner.state {
    case .connecting: self = .connecting
    case .publishing: self = .publishing
    case .stalled: self = .stalled(failure)
    case .waiting: self = .waiting(failure, retryIn: inner.retryIn.map(Duration.init))
    case .refused: self = .refused(failure)
    case .closed: self = .closed
    }
  }
}

/// Why an attempt to publish, or a publish, came to its end.
public enum OutputFailure: Hashable, Sendable, CaseIterable {
  case unresolved, unreachable, timedOut, certificate, closed, closedBeforeAccepted, noProgress, nameTaken,
    refused,
    protocolViolated, unsupported, moved, stopped, system
  /// The server hangs up before it accepts: it refuses, or the name is taken.
  case refusedOrTaken
  /// It has been tried for as long as was asked for.
  case gaveUp

  init(_ inner: OutputLifecycle.Cause) {
    switch inner {
    case .refusedOrTaken: self = .refusedOrTaken
    case .gaveUp: self = .gaveUp
    case .failure(let failure): self.init(failure)
    }
  }

  private init(_ inner: HoldfastLifecycle.OutputFailure) {
    switch inner {
    case .unresolved: self = .unresolved
    case .unreachable: self = .unreachable
    case .timedOut: self = .timedOut
    case .certificate: self = .certificate
    case .closed: self = .closed
    case .closedBeforeAccepted: self = .closedBeforeAccepted
    case .noProgress: self = .noProgress
    case .nameTaken: self = .nameTaken
    case .refused: self = .refused
    case .violated: self = .protocolViolated
    case .unsupported: self = .unsupported
    case .moved: self = .moved
    case .stopped: self = .stopped
    case .system: self = .system
    }
  }
}
