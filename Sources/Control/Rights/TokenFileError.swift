import HoldfastPlatform

/// Why the secret or the revocation list can't be read or written, and the remedy.
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

  static let makeOne = "make one with holdfast token --new-secret FILE"

  init(_ kind: Kind, _ what: String, _ hint: String) {
    self.kind = kind
    self.what = what
    self.hint = hint
  }

  init(secret path: String, _ error: SystemError) {
    if error.isNotFound {
      self.init(.notFound, "there is no \(path)", Self.makeOne)
    } else if error.alreadyExists {
      self.init(.alreadyExists, "\(path) already exists", "choose another name, or remove it first")
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

  init(revoked path: String, _ error: SystemError) {
    self.init(
      error.isRefusal ? .unsuitable : .system, "\(path): \(error)",
      error.isRefusal ? "do it as the user that the broadcast runs as" : "see to the file, and to the disk")
  }
}
