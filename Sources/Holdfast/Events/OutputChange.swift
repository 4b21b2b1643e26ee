import HoldfastBroadcasting
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPublishing

/// A change of an output's state.
public struct OutputChange: Hashable, Sendable {
  public let id: String
  /// The address without secrets.
  public let address: String
  public let state: OutputState
  /// A human-readable reason.
  public var reason: String?
  /// Video lost before publishing resumed.
  public var lostVideo = Duration.zero
  public var lostAudio = Duration.zero

  /// Creates a change for the test of code that receives events.
  public init(id: String, address: String, state: OutputState) {
    (self.id, self.address, self.state) = (id, address, state)
  }

  init(_ report: OutputReport) {
    self.init(id: report.id, address: report.url, state: OutputState(report.condition))
    reason = report.reason
    (lostVideo, lostAudio) = (Duration(report.loss.video), Duration(report.loss.audio))
  }
}

/// The state of an output.
public enum OutputState: Hashable, Sendable {
  case connecting, publishing
  /// The server has not responded for a while.
  case stalled(OutputFailure?)
  /// The next attempt follows after this time.
  case waiting(OutputFailure?, retryIn: Duration?)
  /// The server refused. It is retried after this time if it may do so only for now; nil if never.
  case refused(OutputFailure?, retryIn: Duration?)
  case closed

  init(_ inner: OutputLifecycle.Condition) {
    let failure = inner.cause.map { OutputFailure(name: $0.name) }
    switch inner.state {
    case .connecting: self = .connecting
    case .publishing: self = .publishing
    case .stalled: self = .stalled(failure)
    case .waiting: self = .waiting(failure, retryIn: inner.retryIn.map(Duration.init))
    case .refused: self = .refused(failure, retryIn: inner.retryIn.map(Duration.init))
    case .closed: self = .closed
    }
  }
}

/// Why an attempt to publish, or a publish, has ended.
public enum OutputFailure: String, Hashable, Sendable, CaseIterable {
  /// The name lookup, the connection, or their time limit failed.
  case unresolved, unreachable, timedOut
  /// The server's certificate is not trusted.
  case certificate
  /// The server closed the connection, before accepting or later, or stopped responding.
  case closed, closedBeforeAccepted, noProgress
  /// Another publisher has the stream's name.
  case nameTaken
  /// The server denied access, cannot carry the codec, or redirected to another address.
  case refused, unsupported, moved
  /// The output was stopped, or the operating system failed.
  case stopped, system
  /// The server violated the protocol.
  case protocolViolated = "violated"
  /// The server closed the connection before accepting: it refuses, or the name is taken.
  case refusedOrTaken
  /// The output was retried for as long as the configuration allows.
  case gaveUp
}
