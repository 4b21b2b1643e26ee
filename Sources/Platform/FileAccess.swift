internal import CPlatform
internal import Glibc

/// Whose a file is, and who may do what with it.
public struct FileAccess: Hashable, Sendable {
  public let owner: UInt32
  /// The twelve bits that chmod sets.
  public let permissions: UInt32
}

extension FileDescriptor {
  public func access() throws(SystemError) -> FileAccess {
    var status = stat()
    try check("stat") { fstat(raw, &status) }
    return FileAccess(owner: status.st_uid, permissions: UInt32(status.st_mode & 0o7777))
  }
}

extension SystemError {
  /// Something of that name is there already.
  public var isThere: Bool { code == EEXIST }
  /// A symbolic link stands where none is followed.
  public var isLink: Bool { code == ELOOP }
  /// This user may not.
  public var isRefusal: Bool { code == EACCES || code == EPERM || code == EROFS }

  /// A file holds more than it may.
  public static func tooLarge(_ path: String) -> SystemError {
    SystemError(operation: "read \(path)", code: EFBIG)
  }
}
