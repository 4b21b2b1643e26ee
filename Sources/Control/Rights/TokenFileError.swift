import HoldfastPlatform

/// Why the secret or the revocation list can't be read or written, and the hint.
package struct TokenFileError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    case notFound
    /// Another user's, accessible to others, or too long or short.
    case unsuitable
    case alreadyExists
    case noID
    case full
    case system
  }

  package let kind: Kind
  package let what: String
  package let hint: String

  package var description: String { "\(what); \(hint)" }

  static let makeOne = "create one with holdfast token --new-secret FILE"

  init(_ kind: Kind, _ what: String, _ hint: String) {
    self.kind = kind
    self.what = what
    self.hint = hint
  }

  init(secret path: String, _ error: SystemError) {
    if error.isNotFound {
      self.init(.notFound, "\(path) does not exist", Self.makeOne)
    } else if error.alreadyExists {
      self.init(.alreadyExists, "\(path) already exists", "choose another name, or remove it first")
    } else if error.isLink {
      self.init(.unsuitable, "\(path) is a symbolic link", "use its target instead")
    } else if error.isWrongKind {
      self.init(.unsuitable, "\(path) is not a regular file", Self.makeOne)
    } else if error.isRefusal {
      self.init(.unsuitable, "\(path): \(error.reason)", "choose a file that this user can read or create")
    } else {
      self.init(.system, "\(path): \(error.reason)", "check the disk and the permissions")
    }
  }

  init(revoked path: String, _ error: SystemError) {
    self.init(
      error.isRefusal ? .unsuitable : .system, "\(path): \(error)",
      error.isRefusal ? "run this as the user of the broadcast" : "check the file and the disk")
  }
}
