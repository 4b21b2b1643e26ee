import Glibc
import HoldfastCPlatform

/// A lock file held by one process at a time; the kernel releases it when the process ends.
package struct FileLock: ~Copyable, Sendable {
  private let file: FileDescriptor

  package enum Failure: Error, Hashable, Sendable {
    /// Held by another process; nil if its ID is unknown.
    case held(by: Int32?)
    case system(SystemError)
  }

  /// Takes the lock or fails at once. The file is never removed, as two processes could then hold the lock.
  package init(_ path: String) throws(Failure) {
    do throws(SystemError) {
      let file = try FileDescriptor.openForUpdating(path)
      try check("flock \(path)") { flock(file.raw, LOCK_EX | LOCK_NB) }
      try file.truncate(to: 0)
      try file.write(Array("\(getpid())\n".utf8), at: 0)
      self.file = file
    } catch  where error.code == EWOULDBLOCK {
      throw .held(by: Self.holder(path))
    } catch {
      throw .system(error)
    }
  }

  /// A child that is just being started has the file open, too, and would hold the lock on.
  deinit { flock(file.raw, LOCK_UN) }

  private static func holder(_ path: String) -> Int32? {
    guard let bytes = try? FileDescriptor.contents(of: path, limit: 64) else { return nil }
    return Int32(String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self))
  }
}
