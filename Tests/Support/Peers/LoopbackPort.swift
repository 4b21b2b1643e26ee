package import Glibc

/// A port on 127.0.0.1 reserved among all tests, so that a server can be restarted on it.
package final class LoopbackPort: Sendable {
  package let number: UInt16
  private let claim: Int32

  package init() throws {
    for _ in 0..<1000 {
      let number = UInt16.random(in: Self.belowEphemeral)
      guard let claim = Self.claim(number) else { continue }
      if Self.isFree(number, SOCK_STREAM), Self.isFree(number, SOCK_DGRAM) {
        self.number = number
        self.claim = claim
        return
      }
      close(claim)
    }
    throw TestFailure("no port is free")
  }

  deinit { close(claim) }

  /// The range below Linux's ephemeral ports, which start at 32768.
  private static let belowEphemeral: Range<UInt16> = 10_000..<32_000

  /// Binds an abstract socket of that name: exclusive, and released with its process.
  private static func claim(_ number: UInt16) -> Int32? {
    bindUnixSocket(SOCK_STREAM, to: [0] + Array("holdfast-test-port-\(number)".utf8))
  }

  private static func isFree(_ number: UInt16, _ kind: __socket_type) -> Bool {
    let descriptor = socket(AF_INET, Int32(kind.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    return withLoopback(number) { bind(descriptor, $0, $1) } == 0
  }

  package static func answers(_ number: UInt16) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    return withLoopback(number) { connect(descriptor, $0, $1) } == 0
  }
}

/// Calls `body` with a socket address; `host` is one in 127.0.0.0/8.
package func withLoopback<Result>(
  _ port: UInt16, host: String = "127.0.0.1", _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
) -> Result {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = inet_addr(host)
  return withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
}

/// Binds a Unix socket to a path, or to an abstract name if `name` starts with a zero byte.
func bindUnixSocket(_ kind: __socket_type, to name: [UInt8]) -> Int32? {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
  let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
  let descriptor = socket(AF_UNIX, Int32(kind.rawValue | SOCK_CLOEXEC.rawValue), 0)
  let status = withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
  }
  if status == 0 { return descriptor }
  close(descriptor)
  return nil
}
