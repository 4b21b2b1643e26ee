import Glibc
import HoldfastCPlatform

/// A name in an open folder, which no later change of the path can lead elsewhere.
package struct FilePlace: ~Copyable, Sendable {
  package let path: String
  /// Opened with O_PATH, or to read its names.
  private let folder: FileDescriptor
  private let name: String

  /// With `followsLink`, the name that a final symbolic link points to; see `FolderWalk` for root.
  package init(_ path: String, followsLink: Bool = false) throws(SystemError) {
    var walk = try FolderWalk(path)
    var name = "."
    while let next = walk.next() {
      guard walk.isAtEnd else {
        try walk.enter(next)
        continue
      }
      if followsLink, try walk.follow(next) { continue }
      name = next
      break
    }
    self.path = path
    self.name = name
    folder = walk.takeFolder()
  }

  init(_ name: String, in folder: borrowing FileDescriptor, at path: String) throws(SystemError) {
    self.path = "\(path)/\(name)"
    self.name = name
    self.folder = try folder.duplicate()
  }

  /// Opens the file; never follows a link.
  func open(_ flags: Int32, permissions: UInt32 = 0o644) throws(SystemError) -> FileDescriptor {
    let raw = try check("open \(path)") {
      cp_openat(folder.raw, name, flags | O_NOFOLLOW | O_CLOEXEC, permissions)
    }
    return FileDescriptor(owning: raw)
  }

  /// Creates the file; fails if something is there.
  package func create(permissions: UInt32 = 0o644) throws(SystemError) -> FileDescriptor {
    try open(O_WRONLY | O_CREAT | O_EXCL, permissions: permissions)
  }

  /// The status of the file, or of a link in its place; nil if nothing is there.
  func status() throws(SystemError) -> stat? {
    var status = stat()
    do throws(SystemError) {
      try check("stat \(path)") { fstatat(folder.raw, name, &status, AT_SYMLINK_NOFOLLOW) }
    } catch  where error.isNotFound {
      return nil
    }
    return status
  }

  func statusOfFolder() throws(SystemError) -> stat { try folder.status(path) }

  /// Whether nobody but root can have put there what is there.
  var isPlacedByRootOnly: Bool { (try? folder.isChangedByRootOnly()) ?? false }

  /// The place of a file beside it, whose name has `ending` at its end.
  package func beside(_ ending: String) throws(SystemError) -> FilePlace {
    try FilePlace(path: path + ending, name: name + ending, folder: folder.duplicate())
  }

  private init(path: String, name: String, folder: consuming FileDescriptor) {
    (self.path, self.name) = (path, name)
    self.folder = folder
  }

  package func remove() { unlinkat(folder.raw, name, 0) }

  /// Flushes the folder's entries to disk.
  package func synchronizeFolder() throws(SystemError) {
    let readable = FileDescriptor(
      owning: try check("open \(path)") { cp_openat(folder.raw, ".", O_RDONLY | O_DIRECTORY, 0) })
    try check("fsync \(path)") { fsync(readable.raw) }
  }

  /// Moves the file to another place; fails if something is there, unless it `replaces` that.
  package func move(to target: borrowing FilePlace, replaces: Bool) throws(SystemError) {
    if !replaces, linkat(folder.raw, name, target.folder.raw, target.name, 0) == 0 { return remove() }
    // Some file systems lack hard links.
    if !replaces {
      let code = cp_errno()
      let isTaken = try target.status() != nil
      guard code != EEXIST, !isTaken else {
        throw SystemError(operation: "create \(target.path)", code: EEXIST)
      }
    }
    try check("rename \(path)") { renameat(folder.raw, name, target.folder.raw, target.name) }
  }

  /// Replaces the file atomically. With `keepsOwner`, root creates it as the owner of the folder.
  package func replace(by bytes: [UInt8], keepsOwner: Bool = false) throws(SystemError) {
    let new = try beside(".new")
    new.remove()
    let file = try folder.withRightsOfOwner(if: keepsOwner) { () throws(SystemError) in try new.create() }
    try file.write(bytes)
    try file.synchronize()
    try new.move(to: self, replaces: true)
  }

  /// Creates a folder here unless there is one. With `keepsOwner`, root creates it as the owner of the folder around it.
  func makeFolder(permissions: UInt32, keepsOwner: Bool = false) throws(SystemError) {
    do throws(SystemError) {
      try folder.withRightsOfOwner(if: keepsOwner) { () throws(SystemError) in
        try check("mkdir \(path)") { mkdirat(folder.raw, name, permissions) }
        folder.synchronizeOnFAT(newFolder: name)
      }
    } catch  where error.alreadyExists {}
  }
}
