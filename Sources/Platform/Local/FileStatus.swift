internal import Glibc
internal import HoldfastCPlatform

/// What stands at a path, a link itself and not what it points to.
struct FileStatus {
  private let status: stat

  /// Nil where there is nothing, or nothing that may be seen.
  init?(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.status = status
  }

  var inode: ino_t { status.st_ino }
  var isSocket: Bool { status.st_mode & S_IFMT == S_IFSOCK }
  var isOwnFolder: Bool { status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid() }
}

/// True for a folder that belongs to this user.
package func isOwnFolder(_ path: String) -> Bool { FileStatus(path)?.isOwnFolder == true }
