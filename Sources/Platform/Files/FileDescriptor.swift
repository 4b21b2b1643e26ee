import Glibc
import HoldfastCPlatform

package struct FileDescriptor: ~Copyable, Sendable {
  package let raw: Int32

  package init(owning raw: Int32) { self.raw = raw }

  /// Opens a file with O_CLOEXEC.
  init(opening path: String, _ flags: Int32) throws(SystemError) {
    raw = try check("open \(path)") { open(path, flags | O_CLOEXEC) }
  }

  deinit { close(raw) }

  /// The descriptor, which the caller has to close.
  package consuming func release() -> Int32 {
    let raw = raw
    discard self
    return raw
  }

  package enum Creation: Sendable {
    case new
    case appending
  }

  package static func create(_ path: String, _ creation: Creation) throws(SystemError) -> FileDescriptor {
    switch creation {
    case .new: return try FilePlace(path).create()
    case .appending:
      // Fails instead of blocking on a FIFO without a reader.
      let flags = O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK
      return FileDescriptor(owning: try check("open \(path)") { cp_open_for_writing(path, flags) })
    }
  }

  package static func standardOutput() throws(SystemError) -> FileDescriptor {
    FileDescriptor(owning: try check("dup") { dup(STDOUT_FILENO) })
  }

  package func duplicate() throws(SystemError) -> FileDescriptor { try Self.duplicate(raw) }

  package static func duplicate(_ raw: Int32) throws(SystemError) -> FileDescriptor {
    FileDescriptor(owning: try check("dup") { cp_duplicate(raw) })
  }

  package func write(_ bytes: [UInt8]) throws(SystemError) {
    try writeAll(bytes) { rest, _ in Glibc.write(raw, rest.baseAddress, rest.count) }
  }

  /// Calls `write` until all of `bytes` are written.
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

  package func synchronize() throws(SystemError) { try check(Self.syncCall) { fdatasync(raw) } }

  fileprivate static let syncCall = "fdatasync"
}

extension SystemError {
  /// A sync failed: what was written before it may be lost, although the writes succeeded and a further sync will.
  package var isOfSync: Bool { operation == FileDescriptor.syncCall }
}

/// Raises the limit of open files towards `count`; returns the resulting limit.
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
