/// Why an attempt to publish, or a publish, came to its end. What is done about it depends on this alone.
package enum OutputFailure: String, Hashable, Sendable, CaseIterable {
  case unresolved
  /// Nobody listens there, or no way leads there.
  case unreachable
  case timedOut
  /// The server's certificate is not to be trusted.
  case certificate
  case closed
  /// The server ended it before it had accepted the publish, without a word.
  case closedBeforeAccepted
  /// The server's program has shown no life for too long.
  case noProgress
  /// The server still holds an older publisher of the name, or somebody else's.
  case nameTaken
  /// The server refuses us: credentials, rights, a name that is not allowed.
  case refused
  /// The server speaks another protocol, or speaks it wrongly.
  case violated
  /// The protocol has no way to carry these tracks.
  case unsupported
  /// The server asks to be reached elsewhere, or again.
  case moved
  case stopped
  /// The operating system refuses something that has nothing to do with the server.
  case system
}

/// What to do about a failure.
enum Remedy: Hashable {
  case retry
  /// Try again soon: an older connection of our own may still hold the name.
  case retryTakenName
  /// The server says no by hanging up: either it refuses us or the name is taken.
  case suspectRefusal
  /// Somebody has to change something first.
  case giveUp
  case follow
  case end
}

extension OutputFailure {
  /// The one place that turns a failure into what is done about it.
  ///
  /// A server that has once accepted this broadcast is asked again even where it refuses us now: its certificate is being
  /// renewed, or what it asks about credentials is not yet back.
  func remedy(hasBeenAccepted: Bool) -> Remedy {
    switch self {
    case .unresolved, .unreachable, .timedOut, .closed, .noProgress, .violated, .system: .retry
    case .nameTaken: .retryTakenName
    case .closedBeforeAccepted: hasBeenAccepted ? .retry : .suspectRefusal
    case .certificate, .refused: hasBeenAccepted ? .retry : .giveUp
    case .unsupported: .giveUp
    case .moved: .follow
    case .stopped: .end
    }
  }
}
