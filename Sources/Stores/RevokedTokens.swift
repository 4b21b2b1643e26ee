package import HoldfastMediaModel

/// The ids of tokens that every hub of a store refuses, and until when.
package struct RevokedTokens: Hashable, Sendable {
  /// Never earlier than what was given.
  package let expiries: [String: WallTime]
  package let version: StoreVersion

  package init(expiries: [String: WallTime], version: StoreVersion) {
    self.expiries = expiries
    self.version = version
  }

  /// How long an id is kept beyond its instant: a clock that is behind by up to this accepts no revoked token.
  package static let slack = MediaTime.seconds(86_400)
}
