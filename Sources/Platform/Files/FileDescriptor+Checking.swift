internal import Glibc
internal import HoldfastCPlatform

/// Inspecting files of other programs, and replacing them.
extension FileDescriptor {
  /// Another process has the file open for writing, as far as the file system can tell. This descriptor must be read-only.
  package var hasWriter: Bool { cp_has_writer(raw) == 1 }

  /// Takes over the owner and the permissions of `other`, where allowed.
  package func takeRights(of other: borrowing FileDescriptor) {
    guard let status = try? other.status() else { return }
    _ = fchown(raw, status.st_uid, status.st_gid)
    _ = fchmod(raw, status.st_mode & 0o7777)
  }
}

/// `path` with all symbolic links resolved.
package func realPath(_ path: String) throws(SystemError) -> String {
  guard let real = realpath(path, nil) else { throw .last("realpath \(path)") }
  defer { free(real) }
  return String(cString: real)
}

/// Renames the file at `path` to `target`, which must not exist.
package func moveFile(_ path: String, toNew target: String) throws(SystemError) {
  if link(path, target) != 0 {
    let code = cp_errno()
    // Not every file system has hard links.
    guard code != EEXIST, !fileExists(target) else {
      throw SystemError(operation: "make \(target)", code: EEXIST)
    }
    try check("rename \(path)") { rename(path, target) }
  } else {
    unlink(path)
  }
  try synchronizeDirectory(of: target)
}

/// Replaces `target` by the file at `path` atomically.
package func moveFile(_ path: String, over target: String) throws(SystemError) {
  try check("rename \(path)") { rename(path, target) }
  try synchronizeDirectory(of: target)
}

package func removeFile(_ path: String) { unlink(path) }
