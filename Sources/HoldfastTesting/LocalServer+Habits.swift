package import HoldfastMediaServer

extension LocalServer {
  /// What some servers do differently.
  public enum Habit: String, Hashable, Sendable, CaseIterable {
    /// A publish that is refused gets no answer; its connection is closed.
    case closesInsteadOfRefusing
    /// A publish that is refused is accepted first; then its connection is closed.
    case acceptsBeforeRefusing
    /// The good-bye is not answered, and the connection stays open after its other end has closed it.
    case ignoresGoodBye
    case withholdsPongs
    case withholdsAcknowledgements
    /// Each track of a publish is counted from its own first packet. A server without this habit goes by the stamps.
    case startsTracksAtZero
    /// An append's stamps are added to the last one of the file. Without this habit its first packet follows the end of
    /// the longest track.
    case addsToLastStamp

    package func apply(to configuration: inout MediaServer.Configuration) {
      switch self {
      case .closesInsteadOfRefusing: configuration.refusalManner = .close
      case .acceptsBeforeRefusing: configuration.refusalManner = .acceptAndClose
      case .ignoresGoodBye: configuration.answersGoodBye = false
      case .withholdsPongs: configuration.answersPings = false
      case .withholdsAcknowledgements: configuration.acknowledges = false
      case .startsTracksAtZero: configuration.startsTracksAtZero = true
      case .addsToLastStamp: configuration.addsToLastStamp = true
      }
    }
  }
}
