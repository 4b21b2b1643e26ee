internal import HoldfastPlatform

/// Why revoked tokens can't be read or added to: what, and what to do about it.
package struct RevocationError: Error, Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case noID
    case full
    /// The folder or file is another user's.
    case notPermitted
    /// The operating system refuses, or there is no file but something else.
    case system
  }

  package let kind: Kind
  package let what: String
  package let hint: String

  init(_ path: String, _ error: SystemError) {
    self.init(
      error.isRefusal ? .notPermitted : .system, "\(path): \(error)",
      error.isRefusal ? "do it as the user that the broadcast runs as" : "see to the file, and to the disk")
  }

  private init(_ kind: Kind, _ what: String, _ hint: String) {
    self.kind = kind
    self.what = what
    self.hint = hint
  }

  static func noID(_ text: String) -> RevocationError {
    RevocationError(
      .noID, "\(text.prefix(80).debugDescription) is no token's id",
      "holdfast token says the id when it makes one")
  }

  static func full(_ path: String) -> RevocationError {
    RevocationError(
      .full, "\(path) holds as many as it may", "change the secret, which ends all tokens, and remove it")
  }
}

extension RevocationError: CustomStringConvertible {
  package var description: String { "\(what); \(hint)" }
}
