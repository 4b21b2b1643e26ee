/// Invalid input from the peer, or a message that cannot be sent.
package enum RTMPError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Violates the protocol.
  case malformed(String)
  /// Larger, deeper or more than the limits allow.
  case limitExceeded(String)
  /// The protocol cannot carry this.
  case unsupported(String)

  static let unreadAnswers = RTMPError.limitExceeded("answers that nobody reads")

  package var description: String {
    switch self {
    case .malformed(let what): "violates RTMP: \(what)"
    case .limitExceeded(let what): "exceeds a limit: \(what)"
    case .unsupported(let what): "RTMP can't carry \(what)"
    }
  }
}
