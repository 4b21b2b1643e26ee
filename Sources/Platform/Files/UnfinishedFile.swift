import Glibc
import HoldfastCPlatform

/// A file named `NAME.part` until it is complete; removed if it never is.
package struct UnfinishedFile: ~Copyable {
  package let path: String
  private let name: String
  private var isFinished = false

  package init(name: String) throws(SystemError) {
    let path = name + ".part"
    _ = try FileDescriptor.create(path, .new)
    self.path = path
    self.name = name
  }

  /// Synchronizes and renames the file; fails if the name is taken.
  package mutating func finish() throws(SystemError) {
    let file = try FileDescriptor(opening: path, O_RDONLY)
    try check("fsync \(path)") { fsync(file.raw) }
    let status = cp_rename_new(path, name)
    if status != 0, cp_errno() == EINVAL || cp_errno() == ENOSYS {
      guard !fileExists(name) else { throw SystemError(operation: "rename \(path)", code: EEXIST) }
      try check("rename \(path)") { rename(path, name) }
    } else if status != 0 {
      throw .last("rename \(path)")
    }
    isFinished = true
  }

  deinit {
    if !isFinished { unlink(path) }
  }
}
