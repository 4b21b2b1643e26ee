import Glibc
import HoldfastCPlatform
package import HoldfastMediaModel

/// A unix socket address: a path, or an abstract name prefixed by `@`.
package struct UnixSocketAddress: Hashable, Sendable, CustomStringConvertible {
  package let description: String
  private let isAbstract: Bool

  init(path: String) throws(SystemError) {
    guard !path.isEmpty, !path.utf8.contains(0), path.utf8.count < Self.capacity else {
      throw SystemError(operation: "socket \(path)", code: ENAMETOOLONG)
    }
    description = path
    isAbstract = false
  }

  /// Parses an absolute path or an abstract name; nil for other text.
  package init?(_ text: String) {
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

  /// Sends one datagram; waits for room until `deadline`.
  package func send(_ message: [UInt8], until deadline: MonotonicTime) throws(SystemError) {
    let socket = FileDescriptor(owning: try check("socket") { Glibc.socket(AF_UNIX, cp_SOCK_DGRAM, 0) })
    // `poll` reports the receiver's room only for a connected socket.
    try check("connect \(self)") { withPointer { connect(socket.raw, $0, $1) } }
    while true {
      do throws(SystemError) {
        try check("send \(self)") { Glibc.send(socket.raw, message, message.count, cp_MSG_NOSIGNAL) }
        return
      } catch {
        guard error.code == EAGAIN, MonotonicTime.now < deadline else { throw error }
        var entries = [pollfd(socket.raw, for: POLLOUT)]
        _ = try poll(&entries, until: deadline)
      }
    }
  }
}
