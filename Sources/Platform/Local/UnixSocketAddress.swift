internal import Glibc
internal import HoldfastCPlatform

/// The place of a unix socket in the file system.
struct UnixSocketAddress {
  private var storage = sockaddr_un()

  init(_ path: String) throws(SystemError) {
    let bytes = Array(path.utf8)
    // The kernel wants a zero behind it.
    guard !bytes.isEmpty, !bytes.contains(0), bytes.count < MemoryLayout.size(ofValue: storage.sun_path)
    else {
      throw SystemError(operation: "socket \(path)", code: ENAMETOOLONG)
    }
    storage.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &storage.sun_path) { $0.copyBytes(from: bytes) }
  }

  func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    withUnsafePointer(to: storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
