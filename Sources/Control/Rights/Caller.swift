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

  package func may(_ capability: Capability) -> Bool { role.capabilities.contains(capability) }

  package var capabilities: [Capability] { Capability.allCases.filter(may) }

  /// For notes: `Anna (host)`.
  var title: String { "\(name) (\(role.rawValue))" }
}

/// A caller's role in a broadcast, as tokens write it.
package enum Role: String, Hashable, Sendable, CaseIterable {
  case host, manager, participant

  package var capabilities: Set<Capability> {
    switch self {
    case .host: Set(Capability.allCases)
    case .manager:
      [.view, .mute, .interrupt, .switchCamera, .bitrate, .sendEvent, .ready, .refuse, .changeMaxDuration]
    case .participant: [.view, .ready]
    }
  }
}
