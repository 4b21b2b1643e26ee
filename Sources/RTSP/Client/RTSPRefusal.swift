package struct RTSPRefusal: Hashable, Sendable, CustomStringConvertible {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// User and password are missing, wrong, or not allowed to publish.
    case credentials
    /// The server wants the password in the clear, and it was not sent.
    case unencryptedPassword
    /// Another publisher has the name, possibly an older connection of ours.
    case nameTaken
    case transport
    case sessionLost
    /// A failure of the server, possibly temporary.
    case unavailable
    case other
  }

  package let kind: Kind
  package let method: String
  package let status: Int
  package let reason: String

  init(method: String, status: Int, reason: String, withholdsPassword: Bool = false) {
    self.method = method
    self.status = status
    self.reason = reason
    kind =
      switch status {
      case 401 where withholdsPassword: .unencryptedPassword
      case 401, 403, 407: .credentials
      // RTSP has no status for a name in use; servers use these.
      case 406, 453, 455: method == RTSPMethod.announce.rawValue ? .nameTaken : .other
      case 454: .sessionLost
      case 461: .transport
      case 500...: .unavailable
      default: .other
      }
  }

  var isAboutCredentials: Bool { kind == .credentials || kind == .unencryptedPassword }

  package var description: String { "\(method) was answered with \(status) \(reason)" }
}
