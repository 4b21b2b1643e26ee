internal import CPlatform
internal import Glibc
package import HoldfastMediaModel

/// A folder that stays the same one, whatever is put in its place meanwhile.
package struct OpenFolder: ~Copyable {
  /// A regular file in it; a link is none.
  package struct File: Hashable, Sendable {
    package let name: String
    /// What it holds, in bytes.
    package let size: Int
    /// What it takes of the disk, which is less where it has holes.
    package let bytesOnDisk: Int
    package let modified: WallTime

    package init(name: String, size: Int, bytesOnDisk: Int? = nil, modified: WallTime) {
      self.name = name
      self.size = size
      self.bytesOnDisk = bytesOnDisk ?? size
      self.modified = modified
    }
  }

  package let path: String
  private let descriptor: FileDescriptor

  package init(_ path: String) throws(SystemError) {
    descriptor = FileDescriptor(
      owning: try check("open \(path)") { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) })
    self.path = path
  }

  /// The regular files whose names are wanted, in the order of their names.
  package func files(where isWanted: (String) -> Bool) throws(SystemError) -> [File] {
    // The stream closes a descriptor of its own.
    let copy = try check("open \(path)") { openat(descriptor.raw, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard let stream = fdopendir(copy) else {
      let error = SystemError.last("fdopendir \(path)")
      close(copy)
      throw error
    }
    defer { closedir(stream) }
    var files: [File] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if isWanted(name), let file = file(name) { files.append(file) }
    }
    return files.sorted { $0.name < $1.name }
  }

  /// Nil where there is none, or something else.
  package func file(_ name: String) -> File? {
    var status = stat()
    guard fstatat(descriptor.raw, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
      status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    return File(
      name: name, size: Int(status.st_size), bytesOnDisk: Int(status.st_blocks) * 512,
      modified: WallTime(
        nanoseconds: Int64(clamping: Int128(status.st_mtim.tv_sec) * 1_000_000_000)))
  }

  /// Takes a name away, and never what a link points to.
  package func remove(_ name: String) throws(SystemError) {
    try check("unlink \(path)/\(name)") { unlinkat(descriptor.raw, name, 0) }
  }
}
