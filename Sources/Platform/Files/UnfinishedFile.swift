import Glibc
import HoldfastCPlatform

/// A file with a name of its own until it is complete; removed if it never is. What a process that was killed has left is
/// taken over.
package struct UnfinishedFile: ~Copyable {
  /// Locked against other processes.
  package let file: FileDescriptor
  private let target: FilePlace
  private let place: FilePlace
  private var isFinished = false

  /// Fails with `EWOULDBLOCK` while another process writes the file.
  package init(name: String, permissions: UInt32 = 0o640) throws(SystemError) {
    try self.init(for: FilePlace(name), permissions: permissions)
  }

  package init(for target: borrowing FilePlace, permissions: UInt32 = 0o640) throws(SystemError) {
    let place = try target.beside(Self.ending)
    let file = try FileDescriptor.openForUpdating(place, permissions: permissions)
    let raw = file.raw
    try check("lock \(place.path)") { flock(raw, LOCK_EX | LOCK_NB) }
    let status = try file.status()
    guard let present = try place.status(), present.st_ino == status.st_ino, present.st_dev == status.st_dev
    else { throw SystemError(operation: "lock \(place.path)", code: EWOULDBLOCK) }
    // Another name of a file, or a file of a third user, has been put there.
    let owners = [geteuid(), try place.statusOfFolder().st_uid]
    guard status.st_nlink == 1, geteuid() != 0 || owners.contains(status.st_uid) else {
      throw SystemError(operation: "take over \(place.path)", code: EEXIST)
    }
    try file.truncate(to: 0)
    let copy = try target.beside("")
    self.file = file
    self.target = copy
    self.place = place
  }

  private static let ending = ".holdfast-part"

  package static func path(for name: String) -> String { name + ending }

  /// For a library that opens files by path; no other process can lead it elsewhere.
  package var descriptorPath: String { "/proc/self/fd/\(file.raw)" }

  /// Synchronizes and renames the file; fails if the name is taken, unless it `replaces` that file.
  package mutating func finish(replaces: Bool = false) throws(SystemError) {
    let raw = file.raw
    try check("fsync \(place.path)") { fsync(raw) }
    try place.move(to: target, replaces: replaces)
    try target.synchronizeFolder()
    isFinished = true
  }

  deinit {
    if !isFinished { place.remove() }
  }
}
