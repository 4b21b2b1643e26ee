import HoldfastHTTP
import HoldfastMediaModel
import HoldfastSession
import HoldfastTokens

/// Who sends a request to a hub.
extension Caller {
  /// What the token says, or the absence of tokens, whichever session it is for.
  var credential: Session.Credential {
    guard let token = tokenID else { return Session.Credential(.local) }
    let standing: Session.Standing =
      switch role {
      case .host: .host
      case .manager, .participant: .participant
      case .worker: .worker
      case .operator: .operator
      }
    return Session.Credential(standing, token: token)
  }

  /// Whether the token is for this session, or for all.
  func isFor(_ name: Session.Name) -> Bool {
    guard let session, !role.isOfAllSessions else { return true }
    return (try? SessionNames.name(session.text)) == name
  }

  /// Whether it may see the list of all sessions.
  var seesAll: Bool { role.isOfAllSessions || tokenID == nil }

  static let nobody = Caller(name: "", role: .participant)
}

/// What a route of the hub needs.
enum HubNeed: Hashable, Sendable {
  /// A caller whose token is for the session of the path.
  case session
  /// The lease of a member of that session.
  case lease
  /// A caller for all sessions.
  case allSessions
  /// A host of the session, or the local user.
  case grant
  /// A host of the session, an operator, or the local user.
  case revoke
}
