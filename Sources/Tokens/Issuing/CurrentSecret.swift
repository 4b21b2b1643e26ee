import HoldfastPlatform

/// The secret of a broadcast, which can be replaced while it runs: the old one's tokens are refused from then on.
package final class CurrentSecret: Sendable {
  struct Version: Sendable {
    let secret: TokenSecret
    /// Callers admitted by another version are admitted no longer.
    let number: Int
  }

  private let version: Locked<Version>

  package init(_ secret: TokenSecret) { version = Locked(Version(secret: secret, number: 1)) }

  var latest: Version { version.withLock { $0 } }

  /// A key for another purpose than tokens.
  package func key(for purpose: String) -> [UInt8] {
    hmacSHA256(key: latest.secret.bytes, message: Array(purpose.utf8))
  }

  /// False if `secret` is the same as before.
  package func replace(with secret: TokenSecret) -> Bool {
    version.withLock { version in
      guard secret.bytes != version.secret.bytes else { return false }
      version = Version(secret: secret, number: version.number + 1)
      return true
    }
  }
}
