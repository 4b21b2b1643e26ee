import Glibc
import HoldfastCPlatform
package import HoldfastMediaModel

/// An open folder, unaffected by a replacement at its path.
package struct OpenFolder: ~Copyable {
  /// A regular file in the folder, never a link.
  package struct File: Hashable, Sendable {
    package let name: String
    package let size: Int
    /// Less than `size` for a sparse file.
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
    descriptor = try FilePlace(path, followsLink: true).open(O_RDONLY | O_DIRECTORY)
    self.path = path
  }

  /// Leaves it to its owner.
  func restrict() throws(SystemError) { try check("chmod \(path)") { fchmod(descriptor.raw, 0o700) } }

  /// The regular files whose names satisfy `isIncluded`, sorted by name.
  package func files(where isIncluded: (String) -> Bool) throws(SystemError) -> [File] {
    try names().filter(isIncluded).compactMap { file($0) }
  }

  package func names() throws(SystemError) -> [String] {
    // `closedir` closes the descriptor.
    let copy = try check("open \(path)") { openat(descriptor.raw, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard let stream = fdopendir(copy) else {
      let error = SystemError.last("fdopendir \(path)")
      close(copy)
      throw error
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Nil unless `name` is a regular file.
  package func file(_ name: String) -> File? {
    var status = stat()
    guard fstatat(descriptor.raw, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
      status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    return File(
      name: name, size: Int(status.st_size), bytesOnDisk: Int(status.st_blocks) * 512,
      modified: WallTime(nanoseconds: Int64(clamping: Int128(status.st_mtim.tv_sec) * 1_000_000_000)))
  }

  /// Removes an entry; does not follow a link.
  package func remove(_ name: String) throws(SystemError) {
    try check("unlink \(path)/\(name)") { unlinkat(descriptor.raw, name, 0) }
  }
}

/// The sorted names of a folder's entries; empty if it can't be read.
package func fileNames(in path: String) -> [String] {
  guard let folder = try? OpenFolder(path) else { return [] }
  return (try? folder.names()) ?? []
}
