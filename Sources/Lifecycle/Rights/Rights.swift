package import HoldfastMediaModel

/// Somebody who asks for something, as far as it is proven.
package struct Caller: Hashable, Sendable {
  package let name: String
  package let role: Role
  /// When the token ends that proves it; nil for somebody who needs none.
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

  /// What it may, always in the same order.
  package var capabilities: [Capability] { Capability.allCases.filter(may) }
}

/// What somebody is to a broadcast; how tokens write it.
package enum Role: String, Hashable, Sendable, CaseIterable {
  case host, manager, participant

  /// The table of who may do what.
  package var capabilities: Set<Capability> {
    switch self {
    case .host: Set(Capability.allCases)
    case .manager: [.view, .mute, .interrupt, .switchCamera, .bitrate, .sendEvent, .changeMaxDuration]
    case .participant: [.view]
    }
  }
}

/// What can be allowed to somebody.
package enum Capability: String, Hashable, Sendable, CaseIterable {
  /// See how the broadcast is: its status, events, sources, pictures and figures.
  case view
  case mute
  /// Pause it, and go on.
  case interrupt
  case switchCamera
  case bitrate
  /// Put data into the outputs, and answer the gate.
  case sendEvent
  case changeMaxDuration
  /// Begin it, end it, and what else decides whether there is one.
  case end
  /// Give out tokens, and take them back.
  case grant
}
