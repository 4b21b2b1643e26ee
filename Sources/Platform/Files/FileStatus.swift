import Glibc
import HoldfastCPlatform

extension FileDescriptor {
  /// The file's status; `path` is its name in errors.
  func status(_ path: String? = nil) throws(SystemError) -> stat {
    var status = stat()
    try check(path.map { "stat \($0)" } ?? "stat") { fstat(raw, &status) }
    return status
  }

  package func access() throws(SystemError) -> FileAccess {
    let status = try status()
    return FileAccess(owner: status.st_uid, permissions: UInt32(status.st_mode & 0o7777))
  }
}

/// A file's owner and permissions.
package struct FileAccess: Hashable, Sendable {
  package let owner: UInt32
  /// The 12 mode bits of chmod.
  package let permissions: UInt32
}

/// The status of a path; does not follow symbolic links.
struct FileStatus {
  private let status: stat

  /// Nil if nothing is visible at the path.
  init?(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.status = status
  }

  var inode: ino_t { status.st_ino }
  var size: Int { Int(status.st_size) }
  var isRegular: Bool { status.st_mode & S_IFMT == S_IFREG }
  var isSocket: Bool { status.st_mode & S_IFMT == S_IFSOCK }
  var isOwnFolder: Bool { status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid() }
}

/// Whether the path is a folder owned by this user.
package func isOwnFolder(_ path: String) -> Bool { FileStatus(path)?.isOwnFolder == true }

/// A file's identity and last change, compared to detect modification.
package struct FileStamp: Hashable, Sendable {
  private let device: UInt64
  private let number: UInt64
  private let size: Int
  private let modified: [Int]

  /// Of the file as it is reached now, which may be somebody else's; nil without one.
  package init?(ofPath path: String) throws(SystemError) {
    var status = stat()
    do throws(SystemError) { _ = try check("stat \(path)") { lstat(path, &status) } } catch {
      if error.isNotFound { return nil }
      throw error
    }
    self.init(status)
  }

  package init?(at place: borrowing FilePlace) throws(SystemError) {
    guard let status = try place.status() else { return nil }
    self.init(status)
  }

  package init(of file: borrowing FileDescriptor) throws(SystemError) { self.init(try file.status()) }

  private init(_ status: stat) {
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
    size = Int(status.st_size)
    // Unlike the modification time, the change time can't be set back.
    modified = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
  }
}

/// The free space of a file system.
package struct FreeSpace: Hashable, Sendable {
  package let available: Int
  package let total: Int

  package init(at path: String) throws(SystemError) {
    var status = statvfs()
    try check("statvfs \(path)") { statvfs(path, &status) }
    // Some network file systems report no fragment size.
    let unit = Int(clamping: status.f_frsize == 0 ? status.f_bsize : status.f_frsize)
    available = Self.bytes(Int(clamping: status.f_bavail), unit)
    total = Self.bytes(Int(clamping: status.f_blocks), unit)
  }

  private static func bytes(_ blocks: Int, _ unit: Int) -> Int {
    let (bytes, overflow) = blocks.multipliedReportingOverflow(by: unit)
    return overflow ? .max : bytes
  }
}
