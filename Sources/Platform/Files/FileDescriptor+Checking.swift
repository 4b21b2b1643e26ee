import Glibc
import HoldfastCPlatform

extension FileDescriptor {
  /// Whether another process has the file open for writing, if known. Requires a read-only descriptor.
  package var hasWriter: Bool { cp_has_writer(raw) == 1 }

  /// Copies the owner and permissions of `other` where allowed.
  package func takeRights(of other: borrowing FileDescriptor) {
    guard let status = try? other.status() else { return }
    _ = fchown(raw, status.st_uid, status.st_gid)
    _ = fchmod(raw, status.st_mode & 0o7777)
  }
}

package func realPath(_ path: String) throws(SystemError) -> String {
  guard let real = realpath(path, nil) else { throw .last("realpath \(path)") }
  defer { free(real) }
  return String(cString: real)
}

/// Renames a file; fails if `target` exists.
package func moveFile(_ path: String, toNew target: String) throws(SystemError) {
  if link(path, target) != 0 {
    let code = cp_errno()
    // Some file systems lack hard links.
    guard code != EEXIST, !fileExists(target) else {
      throw SystemError(operation: "create \(target)", code: EEXIST)
    }
    try check("rename \(path)") { rename(path, target) }
  } else {
    unlink(path)
  }
  try synchronizeDirectory(of: target)
}

/// Atomically replaces `target`, and flushes its folder to disk.
package func moveFile(_ path: String, over target: String) throws(SystemError) {
  try check("rename \(path)") { rename(path, target) }
  try synchronizeDirectory(of: target)
}

package func removeFile(_ path: String) { unlink(path) }
