import Glibc
import HoldfastCPlatform

/// A unix socket address: a path, or an abstract name prefixed by `@`.
struct UnixSocketAddress: Hashable, Sendable, CustomStringConvertible {
  let description: String
  private let isAbstract: Bool

  init(path: String) throws(SystemError) {
    guard !path.isEmpty, !path.utf8.contains(0), path.utf8.count < Self.capacity else {
      throw SystemError(operation: "socket \(path)", code: ENAMETOOLONG)
    }
    description = path
    isAbstract = false
  }

  /// Parses an absolute path or an abstract name; nil for other text.
  init?(_ text: String) {
    isAbstract = text.hasPrefix("@")
    let room = isAbstract ? Self.capacity : Self.capacity - 1
    guard isAbstract || text.hasPrefix("/"), 2...room ~= text.utf8.count, !text.utf8.contains(0) else {
      return nil
    }
    description = text
  }

  private static let capacity = MemoryLayout.size(ofValue: sockaddr_un().sun_path)

  func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var name = Array(description.utf8)
    if isAbstract { name[0] = 0 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    // An abstract name has no terminator.
    let length = MemoryLayout<sa_family_t>.size + name.count + (isAbstract ? 0 : 1)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(length)) }
    }
  }
}
