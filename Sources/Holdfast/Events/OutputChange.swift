internal import HoldfastBroadcasting
internal import HoldfastLifecycle
internal import HoldfastMediaModel
internal import HoldfastPublishing

/// What has changed about one output.
public struct OutputChange: Hashable, Sendable {
  let inner: OutputReport

  public var id: String { inner.id }
  /// The address without its secrets.
  public var address: String { inner.url }
  public var state: OutputState { OutputState(inner.condition) }
  /// What happened, for a person.
  public var reason: String? { inner.why }
  /// Video and audio that it did not get, right before it went on publishing.
  public var lostVideo: Duration { Duration(inner.loss.video) }
  public var lostAudio: Duration { Duration(inner.loss.audio) }
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
    let failure = inner.cause.map { OutputFailure(name: $0.name) }
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
public enum OutputFailure: String, Hashable, Sendable, CaseIterable {
  case unresolved, unreachable, timedOut, certificate, closed, closedBeforeAccepted, noProgress, nameTaken
  case refused, unsupported, moved, stopped, system
  case protocolViolated = "violated"
  /// The server hangs up before it accepts: it refuses, or the name is taken.
  case refusedOrTaken
  /// It has been tried for as long as was asked for.
  case gaveUp
}
