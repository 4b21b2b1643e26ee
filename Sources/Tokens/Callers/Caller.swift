package import HoldfastMediaModel

/// The identity of a request's sender.
package struct Caller: Hashable, Sendable {
  package let name: String
  package let role: Role
  /// The session that the caller's token is for; nil without a token.
  package let session: SessionName?
  /// When the caller's token expires; nil without a token.
  package let expiresAt: WallTime?
  package let tokenID: String?
  /// The number of the secret that the token is signed with.
  let secretNumber: Int

  package init(
    name: String, role: Role, session: SessionName? = nil, expiresAt: WallTime? = nil,
    tokenID: String? = nil, secretNumber: Int = 0
  ) {
    self.name = name
    self.role = role
    self.session = session
    self.expiresAt = expiresAt
    self.tokenID = tokenID
    self.secretNumber = secretNumber
  }

  /// The same user of the same machine, or root.
  package static let local = Caller(name: "local", role: .host)

  /// For notes: `Anna (host)`.
  package var title: String { "\(name) (\(role.rawValue))" }
}

/// What a token's holder is, as tokens write it.
package enum Role: String, Hashable, Sendable, CaseIterable {
  case host, manager, participant
  /// At a hub, for all sessions: takes programme jobs; sees all sessions, and ends one.
  case worker, `operator`

  package var isOfAllSessions: Bool {
    switch self {
    case .worker, .operator: true
    case .host, .manager, .participant: false
    }
  }

  /// Those that a broadcast knows.
  package static let ofBroadcasts: [Role] = allCases.filter { !$0.isOfAllSessions }
}
