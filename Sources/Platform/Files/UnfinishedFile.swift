import Glibc

/// A file with a name of its own until it is complete; removed if it never is. What a process that was killed has left is
/// taken over.
package struct UnfinishedFile: ~Copyable {
  package let path: String
  /// Locked against other processes.
  package let file: FileDescriptor
  private let name: String
  private var isFinished = false

  /// Fails with `EWOULDBLOCK` while another process writes the file.
  package init(name: String) throws(SystemError) {
    let path = Self.path(for: name)
    let file = try FileDescriptor.openForUpdating(path)
    let raw = file.raw
    try check("lock \(path)") { flock(raw, LOCK_EX | LOCK_NB) }
    guard file.isAt(path) else { throw SystemError(operation: "lock \(path)", code: EWOULDBLOCK) }
    try file.truncate(to: 0)
    self.path = path
    self.file = file
    self.name = name
  }

  package static func path(for name: String) -> String { name + ".holdfast-part" }

  /// Synchronizes and renames the file; fails if the name is taken, unless it `replaces` that file.
  package mutating func finish(replaces: Bool = false) throws(SystemError) {
    let raw = file.raw
    try check("fsync \(path)") { fsync(raw) }
    if replaces { try moveFile(path, over: name) } else { try moveFile(path, toNew: name) }
    isFinished = true
  }

  deinit {
    if !isFinished { unlink(path) }
  }
}
