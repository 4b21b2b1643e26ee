import Glibc
import HoldfastCPlatform
import HoldfastMediaModel

extension FileDescriptor {
  /// Whether another process has the file open for writing, if known; a yes takes half a second. Requires a read-only
  /// descriptor.
  package var hasWriter: Bool {
    // A writer that has closed the file leaves it open in a child process that has not run its program yet.
    let deadline = MonotonicTime.now + .milliseconds(500)
    while cp_has_writer(raw) == 1 {
      guard pauseBeforeRetry(until: deadline) else { return true }
    }
    return false
  }

  /// Holds the file's lock, as far as the file system has locks, until this and all duplicates are closed.
  package func markWriting() { flock(raw, LOCK_EX | LOCK_NB) }

  /// Takes the file's lock, as far as there are any; fails with `EWOULDBLOCK` while somebody else writes the file.
  package func lockForWriting() throws(SystemError) {
    // A child process has it, too, until it runs its program.
    let deadline = MonotonicTime.now + .seconds(2)
    while flock(raw, LOCK_EX | LOCK_NB) != 0, cp_errno() == EWOULDBLOCK {
      guard pauseBeforeRetry(until: deadline) else {
        throw SystemError(operation: "it is being written", code: EWOULDBLOCK)
      }
    }
  }

  /// Takes all rights from the group and from others.
  package func restrictToOwner() throws(SystemError) {
    guard try status().st_mode & 0o077 != 0 else { return }
    try check("fchmod") { fchmod(raw, 0o600) }
  }

  /// Copies the owner and permissions of `other` where allowed.
  package func takeRights(of other: borrowing FileDescriptor) {
    guard let status = try? other.status() else { return }
    _ = fchown(raw, status.st_uid, status.st_gid)
    // Never what would let others run it as its owner.
    _ = fchmod(raw, status.st_mode & 0o777)
  }
}

package func realPath(_ path: String) throws(SystemError) -> String {
  guard let real = realpath(path, nil) else { throw .last("realpath \(path)") }
  defer { free(real) }
  return String(cString: real)
}

package func removeFile(_ path: String) { try? FilePlace(path).remove() }
