package import HoldfastMediaModel

/// The identity of a request's sender.
package struct Caller: Hashable, Sendable {
  package let name: String
  package let role: Role
  /// When the caller's token expires; nil without a token.
  package let expiresAt: WallTime?
  package let tokenID: String?
  /// The number of the secret that the token is signed with.
  let secretNumber: Int

  package init(
    name: String, role: Role, expiresAt: WallTime? = nil, tokenID: String? = nil, secretNumber: Int = 0
  ) {
    self.name = name
    self.role = role
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
}
