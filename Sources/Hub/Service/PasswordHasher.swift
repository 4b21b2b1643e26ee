import HoldfastPlatform
package import HoldfastSession

/// Hashes passwords with salt, slowly on purpose.
package struct PasswordHasher: Sendable {
  package let hash: @Sendable (String) -> Session.PasswordHash
  package let matches: @Sendable (String, Session.PasswordHash) -> Bool

  package init(
    hash: @escaping @Sendable (String) -> Session.PasswordHash,
    matches: @escaping @Sendable (String, Session.PasswordHash) -> Bool
  ) {
    self.hash = hash
    self.matches = matches
  }

  package static let scrypt = PasswordHasher(
    hash: { Session.PasswordHash(scryptHash(of: $0)) },
    matches: { scryptMatches($0, $1.text) })
}
