internal import HoldfastPlatform

/// Why there is no secret to sign with: what, and what to do about it.
package struct TokenSecretError: Error, Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case notFound
    /// No file that a secret may stand in.
    case unsuitable
    /// A new one would have taken the place of a file.
    case isThere
    /// The operating system refuses.
    case system
  }

  package let kind: Kind
  package let what: String
  package let hint: String

  private init(_ kind: Kind, _ what: String, _ hint: String) {
    self.kind = kind
    self.what = what
    self.hint = hint
  }

  private static let makeOne = "make one with holdfast token --new-secret FILE"

  init(_ path: String, _ error: SystemError) {
    if error.isNotFound {
      self.init(.notFound, "there is no \(path)", Self.makeOne)
    } else if error.isThere {
      self.init(.isThere, "\(path) is there already", "choose another name, or remove it first")
    } else if error.isLink {
      self.init(.unsuitable, "\(path) is a symbolic link", "name the file that it leads to")
    } else if error.isWrongKind {
      self.init(.unsuitable, "\(path) is no regular file", Self.makeOne)
    } else if error.isRefusal {
      self.init(.unsuitable, "\(path): \(error.reason)", "name a file that this user may read or make")
    } else {
      self.init(.system, "\(path): \(error.reason)", "see to the disk, and to its rights")
    }
  }

  static func foreign(_ path: String) -> TokenSecretError {
    TokenSecretError(
      .unsuitable, "\(path) belongs to another user", "it has to be this user's or root's: chown it")
  }

  static func readable(_ path: String) -> TokenSecretError {
    TokenSecretError(
      .unsuitable, "\(path) is open to other users",
      "run chmod 600 on it, and make a new one if somebody may have read it")
  }

  static func tooShort(_ path: String, _ length: Int) -> TokenSecretError {
    TokenSecretError(
      .unsuitable, "\(path) holds \(length) bytes, and less than 32 could be guessed", makeOne)
  }

  static func tooLong(_ path: String) -> TokenSecretError {
    TokenSecretError(.unsuitable, "\(path) is longer than 4 KiB", makeOne)
  }
}

extension TokenSecretError: CustomStringConvertible {
  package var description: String { "\(what); \(hint)" }
}
