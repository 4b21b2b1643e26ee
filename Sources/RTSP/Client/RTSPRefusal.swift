package struct RTSPRefusal: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// User and password are missing or wrong, or do not give the right to publish.
    case credentials
    /// Somebody else publishes under the name, or the server still believes so.
    case nameTaken
    case transport
    case sessionLost
    /// Trouble of the server's own, which may pass.
    case unavailable
    case other
  }

  package let kind: Kind
  package let method: String
  package let status: Int
  package let reason: String

  init(method: String, status: Int, reason: String) {
    self.method = method
    self.status = status
    self.reason = reason
    kind =
      switch status {
      case 401, 403, 407: .credentials
      // There is no status for a name in use; all of these have been seen for it.
      case 406, 453, 455: method == RTSPMethod.announce.rawValue ? .nameTaken : .other
      case 454: .sessionLost
      case 461: .transport
      case 500...: .unavailable
      default: .other
      }
  }
}

extension RTSPRefusal: CustomStringConvertible {
  package var description: String { "\(method) was answered with \(status) \(reason)" }
}
