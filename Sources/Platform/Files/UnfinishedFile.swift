internal import Glibc
internal import HoldfastCPlatform

/// A file that is called `NAME.part` until it is complete, and is removed where it never is.
package struct UnfinishedFile: ~Copyable {
  /// Where to write the content.
  package let path: String
  private let name: String
  private var isFinished = false

  /// Creates `NAME.part`, which must not exist.
  package init(name: String) throws(SystemError) {
    let path = name + ".part"
    _ = try FileDescriptor.create(path, .new)
    self.path = path
    self.name = name
  }

  /// Synchronizes the file and renames it; fails where the name has been taken meanwhile.
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
