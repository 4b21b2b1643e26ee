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

    package func apply(to configuration: inout MediaServer.Configuration) {
      switch self {
      case .closesInsteadOfRefusing: configuration.refusalManner = .close
      case .acceptsBeforeRefusing: configuration.refusalManner = .acceptAndClose
      case .ignoresGoodBye: configuration.answersGoodBye = false
      case .withholdsPongs: configuration.answersPings = false
      case .withholdsAcknowledgements: configuration.acknowledges = false
      }
    }
  }
}
