package import HoldfastMediaModel
import HoldfastPlatform

/// Why the secret or the revocation list can't be read or written.
package typealias TokenFileError = Failure<TokenFileFault>

package enum TokenFileFault: Hashable, Sendable {
  case notFound
  /// Another user's, accessible to others, or too long or short.
  case unsuitable
  case alreadyExists
  case noID
  case full
  case system
}

extension TokenFileError {
  static var makeOne: String { "create one with holdfast token --new-secret FILE" }

  init(secret path: String, _ error: SystemError) {
    if error.isNotFound {
      self.init(.notFound, "\(path) does not exist", hint: Self.makeOne)
    } else if error.alreadyExists {
      self.init(.alreadyExists, "\(path) already exists", hint: "choose another name, or remove it first")
    } else if error.isLink {
      self.init(.unsuitable, "\(path) is a symbolic link", hint: "use its target instead")
    } else if error.isWrongKind {
      self.init(.unsuitable, "\(path) is not a regular file", hint: Self.makeOne)
    } else if error.isRefusal {
      self.init(
        .unsuitable, "\(path): \(error.reason)", hint: "choose a file that this user can read or create")
    } else {
      self.init(.system, "\(path): \(error.reason)", hint: "check the disk and the permissions")
    }
  }

  init(revoked path: String, _ error: SystemError) {
    if error.isLink {
      self.init(
        .unsuitable,
        "\(path): a symbolic link on the way to it is not followed, as another user may have placed it",
        hint: "run this as the user of the broadcast, or name the state folder by a path without that link")
      return
    }
    self.init(
      error.isRefusal ? .unsuitable : .system, "\(path): \(error)",
      hint: error.isRefusal ? "run this as the user of the broadcast" : "check the file and the disk")
  }
}
