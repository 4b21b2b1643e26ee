internal import Glibc
internal import HoldfastCPlatform

/// Which file this is, and when it was changed: another stamp means that it has to be read again.
package struct FileStamp: Hashable, Sendable {
  private let device: UInt64
  private let number: UInt64
  private let size: Int
  private let modified: [Int]

  /// Nil where there is no file.
  package init?(at path: String) throws(SystemError) {
    var status = stat()
    do throws(SystemError) {
      try check("stat \(path)") { lstat(path, &status) }
    } catch  where error.isNotFound {
      return nil
    }
    self.init(status)
  }

  package init(of file: borrowing FileDescriptor) throws(SystemError) {
    var status = stat()
    let raw = file.raw
    try check("stat") { fstat(raw, &status) }
    self.init(status)
  }

  private init(_ status: stat) {
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
    size = Int(status.st_size)
    // The second pair can't be set back by hand.
    modified = [
      status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
    ]
  }
}
