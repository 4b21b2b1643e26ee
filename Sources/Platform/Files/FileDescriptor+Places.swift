internal import Glibc
internal import HoldfastCPlatform

/// Files that are read and written at any place.
extension FileDescriptor {
  /// Opens the file at `path`; where there is none it makes an empty one, unless it `isThere`. It follows no symbolic
  /// link at the end of the path, and takes nothing but a regular file.
  package static func openForUpdating(_ path: String, isThere: Bool = false) throws(SystemError)
    -> FileDescriptor
  {
    let flags = O_RDWR | (isThere ? 0 : O_CREAT) | O_NOFOLLOW | O_NONBLOCK
    let file = FileDescriptor(owning: try check("open \(path)") { cp_open_for_writing(path, flags) })
    var status = stat()
    try check("stat \(path)") { fstat(file.raw, &status) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw SystemError(operation: "open \(path)", code: EINVAL)
    }
    return file
  }

  /// Opens the file at `path` for reading; nothing but a regular file, and a symbolic link only where it `followsLink`.
  package static func openForReading(
    _ path: String, followsLink: Bool = true
  ) throws(SystemError) -> FileDescriptor {
    let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | (followsLink ? 0 : O_NOFOLLOW)
    let file = FileDescriptor(owning: try check("open \(path)") { open(path, flags) })
    var status = stat()
    try check("stat \(path)") { fstat(file.raw, &status) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw SystemError(operation: "open \(path)", code: EINVAL)
    }
    return file
  }

  /// Little will be read, here and there: the kernel needn't read ahead what lies in between.
  package func expectScatteredReads() {
    posix_fadvise(raw, 0, 0, POSIX_FADV_RANDOM)
  }

  package func size() throws(SystemError) -> Int {
    var status = stat()
    try check("stat") { fstat(raw, &status) }
    return Int(status.st_size)
  }

  /// False where another file stands at `path`, or none.
  package func isAt(_ path: String) -> Bool {
    var (own, there) = (stat(), stat())
    return fstat(raw, &own) == 0 && lstat(path, &there) == 0 && own.st_ino == there.st_ino
      && own.st_dev == there.st_dev
  }

  /// Up to `count` bytes from `offset` on; fewer at the end of the file.
  package func bytes(_ count: Int, at offset: Int) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let got = try check("read") {
        bytes.withUnsafeMutableBytes {
          pread(raw, $0.baseAddress.map { $0 + filled }, count - filled, offset + filled)
        }
      }
      if got == 0 { break }
      filled += got
    }
    bytes.removeLast(count - filled)
    return bytes
  }

  /// Writes all of `bytes` at `offset`.
  package func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
    var written = 0
    while written < bytes.count {
      written += try check("write") {
        bytes.withUnsafeBytes {
          pwrite(raw, $0.baseAddress.map { $0 + written }, bytes.count - written, offset + written)
        }
      }
    }
  }
}

extension SystemError {
  /// A file holds something else than what it was opened for.
  package static func foreignFormat(_ operation: String) -> SystemError {
    SystemError(operation: operation, code: EILSEQ)
  }
}
