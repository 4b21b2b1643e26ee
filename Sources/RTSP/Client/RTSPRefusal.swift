/// A request that the server did not grant.
package struct RTSPRefusal: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// User and password are missing or wrong, or do not give the right to publish.
    case credentials
    /// Somebody else publishes under the name, or the server still believes so.
    case nameTaken
    /// Not over this transport.
    case transport
    /// The server has forgotten the session.
    case sessionLost
    /// Trouble of the server's own, which may pass.
    case unavailable
    case other
  }

  package let kind: Kind
  package let method: String
  package let status: Int
  package let reason: String

  package init(kind: Kind, method: String, status: Int, reason: String) {
    self.kind = kind
    self.method = method
    self.status = status
    self.reason = reason
  }

  init(method: String, status: Int, reason: String) {
    self.init(kind: Kind(method: method, status: status), method: method, status: status, reason: reason)
  }
}

extension RTSPRefusal.Kind {
  /// What a status means depends on what was asked.
  init(method: String, status: Int) {
    switch status {
    case 401, 403, 407: self = .credentials
    // There is no status for a name in use; all of these have been seen for it.
    case 406, 453, 455: self = method == RTSPMethod.announce.rawValue ? .nameTaken : .other
    case 454: self = .sessionLost
    case 461: self = .transport
    case 500...: self = .unavailable
    default: self = .other
    }
  }
}

extension RTSPRefusal: CustomStringConvertible {
  package var description: String { "\(method) was answered with \(status) \(reason)" }
}
