/// Why an attempt to publish, or a publish, ended. The remedy depends on this alone.
package enum OutputFailure: String, Hashable, Sendable, CaseIterable {
  case unresolved
  /// No server is listening, or there is no route.
  case unreachable
  case timedOut
  case certificate
  case closed
  /// The server hung up without giving a reason before accepting the publish.
  case closedBeforeAccepted
  case noProgress
  /// Another publisher has the name, possibly an older connection of ours.
  case nameTaken
  /// The server refuses us: credentials, permissions or an invalid name.
  case refused
  /// The server speaks another protocol, or violates it.
  case violated
  case unsupported
  /// The server asks for a new connection, to itself or to another address.
  case moved
  case stopped
  /// The operating system failed for a reason unrelated to the server.
  case system
}

enum Remedy: Hashable {
  case retry
  /// Retry soon: an older connection of ours may still hold the name.
  case retryTakenName
  /// The server hung up: either it refuses us or the name is taken.
  case suspectRefusal
  /// Requires a change by the operator, here or at the server.
  case giveUp
  case follow
  case end
}

extension OutputFailure {
  /// The remedy for a failure, decided here alone. An output that has published this broadcast is retried
  /// even if the server refuses now: its certificate is being renewed, or its authentication is not yet back.
  func remedy(hasPublished: Bool) -> Remedy {
    switch self {
    case .unresolved, .unreachable, .timedOut, .closed, .noProgress, .violated, .system: .retry
    case .nameTaken: .retryTakenName
    case .closedBeforeAccepted: hasPublished ? .retry : .suspectRefusal
    case .certificate, .refused: hasPublished ? .retry : .giveUp
    case .unsupported: .giveUp
    case .moved: .follow
    case .stopped: .end
    }
  }
}
