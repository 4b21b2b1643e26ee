internal import CPlatform
internal import Glibc
public import MediaModel

/// A folder that stays the same one, whatever is put in its place meanwhile.
public struct OpenFolder: ~Copyable {
  /// A regular file in it; a link is none.
  public struct File: Hashable, Sendable {
    public let name: String
    /// What it holds, in bytes.
    public let size: Int
    /// What it takes of the disk, which is less where it has holes.
    public let bytesOnDisk: Int
    public let modified: WallTime

    public init(name: String, size: Int, bytesOnDisk: Int? = nil, modified: WallTime) {
      self.name = name
      self.size = size
      self.bytesOnDisk = bytesOnDisk ?? size
      self.modified = modified
    }
  }

  public let path: String
  private let descriptor: FileDescriptor

  public init(_ path: String) throws(SystemError) {
    descriptor = FileDescriptor(
      owning: try check("open \(path)") { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) })
    self.path = path
  }

  /// The regular files whose names are wanted, in the order of their names.
  public func files(where isWanted: (String) -> Bool) throws(SystemError) -> [File] {
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
  public func file(_ name: String) -> File? {
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
  public func remove(_ name: String) throws(SystemError) {
    try check("unlink \(path)/\(name)") { unlinkat(descriptor.raw, name, 0) }
  }
}
