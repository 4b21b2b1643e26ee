internal import Glibc
internal import HoldfastCPlatform

/// An open file that is closed when its owner goes.
package struct FileDescriptor: ~Copyable, Sendable {
  package let raw: Int32

  /// Takes over `raw`.
  package init(owning raw: Int32) {
    self.raw = raw
  }

  deinit {
    close(raw)
  }

  package enum Creation: Sendable {
    /// Fails if the file exists.
    case new
    /// The same, and nobody but its owner may read it.
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
      // A pipe that nobody reads fails at once instead of waiting for a reader.
      case .appending: cp_open_for_writing(path, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK)
      }
    }
    return FileDescriptor(owning: raw)
  }

  /// A second hold on standard output.
  package static func standardOutput() throws(SystemError) -> FileDescriptor {
    FileDescriptor(owning: try check("dup") { dup(STDOUT_FILENO) })
  }

  /// A second hold on the same file.
  package func duplicate() throws(SystemError) -> FileDescriptor {
    try Self.duplicate(raw)
  }

  /// The same for a descriptor that somebody else owns.
  package static func duplicate(_ raw: Int32) throws(SystemError) -> FileDescriptor {
    FileDescriptor(owning: try check("dup") { cp_duplicate(raw) })
  }

  package func write(_ bytes: [UInt8]) throws(SystemError) {
    var offset = 0
    while offset < bytes.count {
      offset += try check("write") {
        bytes.withUnsafeBytes { Glibc.write(raw, $0.baseAddress.map { $0 + offset }, $0.count - offset) }
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
