import Glibc
import HoldfastCPlatform

extension FileDescriptor {
  /// Opens a regular file, created unless `mustExist`; does not follow a final symbolic link.
  package static func openForUpdating(
    _ path: String, mustExist: Bool = false
  ) throws(SystemError) -> FileDescriptor {
    try openForUpdating(FilePlace(path), mustExist: mustExist)
  }

  package static func openForUpdating(
    _ place: borrowing FilePlace, mustExist: Bool = false, permissions: UInt32 = 0o644
  ) throws(SystemError) -> FileDescriptor {
    let file = try place.open(O_RDWR | (mustExist ? 0 : O_CREAT) | O_NONBLOCK, permissions: permissions)
    try file.requireRegular(place.path)
    return file
  }

  package static func openForReading(
    _ path: String, followsLink: Bool = true
  ) throws(SystemError) -> FileDescriptor {
    try openForReading(FilePlace(path, followsLink: followsLink))
  }

  package static func openForReading(_ place: borrowing FilePlace) throws(SystemError) -> FileDescriptor {
    let file = try place.open(O_RDONLY | O_NONBLOCK)
    try file.requireRegular(place.path)
    return file
  }

  private func requireRegular(_ path: String) throws(SystemError) {
    guard try status(path).st_mode & S_IFMT == S_IFREG else {
      throw SystemError(operation: "open \(path)", code: EINVAL)
    }
  }

  /// Disables the kernel's read-ahead.
  package func expectScatteredReads() { posix_fadvise(raw, 0, 0, POSIX_FADV_RANDOM) }

  package func size() throws(SystemError) -> Int { Int(try status().st_size) }

  /// Whether `path` still refers to this file.
  package func isAt(_ path: String) -> Bool {
    var (own, there) = (stat(), stat())
    return fstat(raw, &own) == 0 && lstat(path, &there) == 0 && own.st_ino == there.st_ino
      && own.st_dev == there.st_dev
  }

  /// Up to `count` bytes from `offset`; fewer at the end of the file.
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

  package func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
    try writeAll(bytes) { rest, written in pwrite(raw, rest.baseAddress, rest.count, offset + written) }
  }
}
