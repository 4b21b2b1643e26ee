import Glibc
import HoldfastCPlatform
import HoldfastMediaModel

/// A folder accessible to its owner only, created if missing.
package struct PrivateFolder: ~Copyable, Sendable {
  package let path: String
  private let file: FileDescriptor

  /// With `isInSharedFolder`, refuses a symbolic link, as other users may have created it. With
  /// `rootMayEnter`, root may use another user's folder.
  package init(
    _ path: String, isInSharedFolder: Bool = false, rootMayEnter: Bool = false
  ) throws(SystemError) {
    let place = try FilePlace(path, followsLink: !isInSharedFolder)
    try place.makeFolder(permissions: 0o700, keepsOwner: rootMayEnter)
    let file = try place.open(O_RDONLY | O_DIRECTORY)
    let status = try file.status(path)
    let isOwn = status.st_uid == geteuid()
    guard isOwn || (rootMayEnter && geteuid() == 0) else {
      throw SystemError(operation: "\(path) belongs to another user", code: EPERM)
    }
    if isOwn, status.st_mode & 0o077 != 0 { try check("chmod \(path)") { fchmod(file.raw, 0o700) } }
    self.path = path
    self.file = file
  }

  package func place(of name: String) throws(SystemError) -> FilePlace {
    try FilePlace(name, in: file, at: path)
  }

  /// Runs `body` while holding the folder's lock, which it awaits for up to 2 s.
  package func withLock<Result: ~Copyable, Failure: Error>(
    _ body: () throws(Failure) -> Result, orElse busy: (SystemError) -> Failure
  ) throws(Failure) -> Result {
    let deadline = MonotonicTime.now + .seconds(2)
    while flock(file.raw, LOCK_EX | LOCK_NB) != 0 {
      let error = SystemError.last("flock \(path)")
      guard error.code == EWOULDBLOCK || error.code == EINTR, pauseBeforeRetry(until: deadline) else {
        throw busy(error)
      }
    }
    defer { flock(file.raw, LOCK_UN) }
    return try body()
  }
}

/// Pauses for up to 5 ms before a retry that `poll` cannot wait for; false after `deadline`.
func pauseBeforeRetry(until deadline: MonotonicTime) -> Bool {
  var nothing: [pollfd] = []
  _ = try? poll(&nothing, until: min(deadline, .now + .milliseconds(5)))
  return .now < deadline
}
