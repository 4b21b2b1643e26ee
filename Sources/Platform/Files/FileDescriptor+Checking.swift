internal import Glibc
internal import HoldfastCPlatform

/// What it takes to look at other people's files, and to put a file in the place of another.
extension FileDescriptor {
  /// Somebody has it open for writing, as far as the file system can tell; it must be open for reading only.
  package var hasWriter: Bool { cp_has_writer(raw) == 1 }

  /// May be read and written by those who may `other`.
  package func takeRights(of other: borrowing FileDescriptor) {
    var status = stat()
    guard fstat(other.raw, &status) == 0 else { return }
    // Not everybody may give files away: then it stays its maker's.
    _ = fchown(raw, status.st_uid, status.st_gid)
    _ = fchmod(raw, status.st_mode & 0o7777)
  }
}

/// Where `path` leads to, through symbolic links.
package func realPath(_ path: String) throws(SystemError) -> String {
  guard let real = realpath(path, nil) else { throw .last("realpath \(path)") }
  defer { free(real) }
  return String(cString: real)
}

/// Gives the file at `path` the name `target`, which must not be there yet.
package func moveFile(_ path: String, toNew target: String) throws(SystemError) {
  if link(path, target) != 0 {
    let code = cp_errno()
    // Not every file system knows two names of one file.
    guard code != EEXIST, !fileExists(target) else {
      throw SystemError(operation: "make \(target)", code: EEXIST)
    }
    try check("rename \(path)") { rename(path, target) }
  } else {
    unlink(path)
  }
  try synchronizeDirectory(of: target)
}

/// Puts the file at `path` in the place of `target`: whoever looks sees the one or the other, whole.
package func moveFile(_ path: String, over target: String) throws(SystemError) {
  try check("rename \(path)") { rename(path, target) }
  try synchronizeDirectory(of: target)
}

package func removeFile(_ path: String) {
  unlink(path)
}

extension SystemError {
  /// It is no regular file.
  package var isWrongKind: Bool { code == EINVAL || code == EISDIR }
}
