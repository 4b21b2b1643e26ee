package import HoldfastMediaModel

/// A token that is to be refused.
package struct Revocation: Hashable, Sendable {
  package let id: String
  /// In whole seconds, after the token's expiry.
  package let end: WallTime
}
