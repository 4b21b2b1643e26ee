internal import Glibc
internal import HoldfastCPlatform

/// Owns an open file.
package struct FileDescriptor: ~Copyable, Sendable {
  package let raw: Int32

  /// Takes over `raw`.
  package init(owning raw: Int32) { self.raw = raw }

  /// Opens the file at `path`; it is closed on exec.
  init(opening path: String, _ flags: Int32) throws(SystemError) {
    raw = try check("open \(path)") { open(path, flags | O_CLOEXEC) }
  }

  deinit { close(raw) }

  package enum Creation: Sendable {
    /// Fails if the file exists.
    case new
    /// The same, readable for its owner only.
    case newPrivate
    /// Adds to what is there.
    case appending
  }

  package static func create(_ path: String, _ creation: Creation) throws(SystemError) -> FileDescriptor {
    let new = O_WRONLY | O_CREAT | O_EXCL
    let raw = try check("open \(path)") {
      switch creation {
      case .new: cp_open_for_writing(path, new)
      case .newPrivate: cp_open_private(path, new)
      // O_NONBLOCK: opening a pipe that nobody reads fails instead of waiting.
      case .appending: cp_open_for_writing(path, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK)
      }
    }
    return FileDescriptor(owning: raw)
  }

  /// A duplicate of standard output.
  package static func standardOutput() throws(SystemError) -> FileDescriptor {
    FileDescriptor(owning: try check("dup") { dup(STDOUT_FILENO) })
  }

  package func duplicate() throws(SystemError) -> FileDescriptor {
    try Self.duplicate(raw)
  }

  /// Duplicates a descriptor that another object owns.
  package static func duplicate(_ raw: Int32) throws(SystemError) -> FileDescriptor {
    FileDescriptor(owning: try check("dup") { cp_duplicate(raw) })
  }

  package func write(_ bytes: [UInt8]) throws(SystemError) {
    try writeAll(bytes) { rest, _ in Glibc.write(raw, rest.baseAddress, rest.count) }
  }

  /// Calls `write` with the rest of `bytes` and its offset until all are written.
  func writeAll(
    _ bytes: [UInt8], _ write: (UnsafeRawBufferPointer, _ offset: Int) -> Int
  ) throws(SystemError) {
    var offset = 0
    while offset < bytes.count {
      offset += try check("write") {
        bytes[offset...].withUnsafeBytes { write($0, offset) }
      }
    }
  }

  package func truncate(to length: Int) throws(SystemError) {
    try check("ftruncate") { ftruncate(raw, length) }
  }

  package func synchronize() throws(SystemError) {
    try check("fdatasync") { fdatasync(raw) }
  }
}

/// Raises the limit of open files to `count` where the system allows it, and returns the limit.
@discardableResult
package func raiseDescriptorLimit(to count: Int) -> Int {
  var limit = rlimit()
  guard getrlimit(cp_RLIMIT_NOFILE, &limit) == 0 else { return 1024 }
  let target = min(rlim_t(count), limit.rlim_max)
  if target > limit.rlim_cur {
    let before = limit.rlim_cur
    limit.rlim_cur = target
    if setrlimit(cp_RLIMIT_NOFILE, &limit) != 0 { limit.rlim_cur = before }
  }
  return Int(clamping: limit.rlim_cur)
}
