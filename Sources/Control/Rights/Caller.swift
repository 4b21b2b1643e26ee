package import HoldfastMediaModel

/// The identity of a request's sender.
package struct Caller: Hashable, Sendable {
  package let name: String
  package let role: Role
  /// When the caller's token expires; nil without a token.
  package let expiresAt: WallTime?
  package let tokenID: String?

  package init(name: String, role: Role, expiresAt: WallTime? = nil, tokenID: String? = nil) {
    self.name = name
    self.role = role
    self.expiresAt = expiresAt
    self.tokenID = tokenID
  }

  /// The same user of the same machine, or root.
  package static let local = Caller(name: "local", role: .host)

  package func may(_ capability: Capability) -> Bool { role.capabilities.contains(capability) }

  package var capabilities: [Capability] { Capability.allCases.filter(may) }
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
