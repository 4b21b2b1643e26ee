internal import Glibc
internal import HoldfastCPlatform

/// A file that gets its name when it is whole: until then it is `NAME.part`, and it is gone when its owner goes.
package struct UnfinishedFile: ~Copyable {
  /// Where it gets its content.
  package let path: String
  private let name: String
  private var isFinished = false

  /// Takes `NAME.part`, which may not be there yet.
  package init(name: String) throws(SystemError) {
    let path = name + ".part"
    _ = try FileDescriptor.create(path, .new)
    self.path = path
    self.name = name
  }

  /// Gives it its name, once it is on the disk. What has that name meanwhile stays, and this fails.
  package mutating func finish() throws(SystemError) {
    let file = FileDescriptor(owning: try check("open \(path)") { open(path, O_RDONLY | O_CLOEXEC) })
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
