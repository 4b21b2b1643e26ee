import HoldfastMediaModel
import HoldfastPlatform

/// The key that signs tokens. It is never shown.
package struct TokenSecret: Sendable {
  /// Lengths without the line end. A shorter secret could be guessed from a single token.
  package static let lengths = 32...4096

  let bytes: [UInt8]

  package init(_ bytes: [UInt8], from path: String) throws(TokenFileError) {
    let length = bytes.count - (bytes.last == 0x0A ? 1 : 0)
    guard length >= Self.lengths.lowerBound else {
      throw TokenFileError(
        .unsuitable, "\(path) holds \(length) bytes; fewer than 32 could be guessed",
        hint: TokenFileError.makeOne)
    }
    guard length <= Self.lengths.upperBound else {
      throw TokenFileError(.unsuitable, "\(path) is longer than 4 KiB", hint: TokenFileError.makeOne)
    }
    self.bytes = Array(bytes.prefix(length))
  }

  /// Accepts only a regular file that no one but its owner, this user or root, may read.
  package init(contentsOf path: String) throws(TokenFileError) {
    let found = try Self.open(path)
    guard found.access.owner == PeerCredentials.ownUser || found.access.owner == 0 else {
      throw TokenFileError(
        .unsuitable, "\(path) belongs to another user", hint: "chown it to this user or root")
    }
    guard found.access.permissions & 0o077 == 0 else {
      throw TokenFileError(
        .unsuitable, "\(path) is accessible to other users",
        hint: "run chmod 600 on it, and create a new one if anyone may have read it")
    }
    try self.init(found.bytes, from: path)
  }

  private static func open(_ path: String) throws(TokenFileError) -> (access: FileAccess, bytes: [UInt8]) {
    do throws(SystemError) {
      let file = try FileDescriptor.openForReading(path, followsLink: false)
      // One byte beyond the limit, and the line end.
      return (try file.access(), try file.bytes(lengths.upperBound + 2, at: 0))
    } catch {
      throw TokenFileError(secret: path, error)
    }
  }

  /// Creates a file with a random secret; never replaces a file.
  package static func makeFile(_ path: String) throws(TokenFileError) {
    do throws(SystemError) {
      let place = try FilePlace(path)
      let file = try place.create(permissions: 0o600)
      do throws(SystemError) {
        try file.write(Array((hexadecimal(randomBytes(32)) + "\n").utf8))
        try file.synchronize()
        try place.synchronizeFolder()
      } catch {
        place.remove()
        throw error
      }
    } catch {
      throw TokenFileError(secret: path, error)
    }
  }
}

extension TokenSecret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "a secret" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
