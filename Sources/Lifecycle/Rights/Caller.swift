package import HoldfastMediaModel

/// Somebody who asks for something, as far as it is proven.
package struct Caller: Hashable, Sendable {
  package let name: String
  package let role: Role
  /// When the token ends that proves it; nil for somebody who needs none.
  package let expiresAt: WallTime?
  /// Which token that is.
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
