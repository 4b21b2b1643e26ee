internal import Glibc
internal import HoldfastCPlatform

/// Whose a file is, and who may do what with it.
package struct FileAccess: Hashable, Sendable {
  package let owner: UInt32
  /// The twelve bits that chmod sets.
  package let permissions: UInt32
}

extension FileDescriptor {
  package func access() throws(SystemError) -> FileAccess {
    var status = stat()
    try check("stat") { fstat(raw, &status) }
    return FileAccess(owner: status.st_uid, permissions: UInt32(status.st_mode & 0o7777))
  }
}

extension SystemError {
  /// Something of that name is there already.
  package var isThere: Bool { code == EEXIST }
  /// A symbolic link stands where none is followed.
  package var isLink: Bool { code == ELOOP }
  /// This user may not.
  package var isRefusal: Bool { code == EACCES || code == EPERM || code == EROFS }

  /// A file holds more than it may.
  package static func tooLarge(_ path: String) -> SystemError {
    SystemError(operation: "read \(path)", code: EFBIG)
  }
}
