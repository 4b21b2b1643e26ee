public import MediaModel

/// Somebody who asks for something, as far as it is proven.
public struct Caller: Hashable, Sendable {
  public let name: String
  public let role: Role
  /// When the token ends that proves it; nil for somebody who needs none.
  public let expiresAt: WallTime?
  /// Which token that is.
  public let tokenID: String?

  public init(name: String, role: Role, expiresAt: WallTime? = nil, tokenID: String? = nil) {
    self.name = name
    self.role = role
    self.expiresAt = expiresAt
    self.tokenID = tokenID
  }

  /// The same user of the same machine, or root.
  public static let local = Caller(name: "local", role: .host)

  public func may(_ capability: Capability) -> Bool { role.capabilities.contains(capability) }

  /// What it may, always in the same order.
  public var capabilities: [Capability] { Capability.allCases.filter(may) }
}
