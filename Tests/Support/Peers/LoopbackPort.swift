import Glibc

/// A port on 127.0.0.1 reserved among all tests, so that a server can be restarted on it.
package final class LoopbackPort: Sendable {
  package let number: UInt16
  private let claim: Int32

  struct NoneFree: Error {}

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
    throw NoneFree()
  }

  deinit {
    close(claim)
  }

  /// The range below Linux's ephemeral ports, which start at 32768.
  private static let belowEphemeral: Range<UInt16> = 10_000..<32_000

  /// Binds an abstract socket of that name: exclusive, and released with its process.
  private static func claim(_ number: UInt16) -> Int32? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let name = [0] + Array("holdfast-test-port-\(number)".utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
    return bound(AF_UNIX, SOCK_STREAM, &address, length)
  }

  private static func isFree(_ number: UInt16, _ kind: __socket_type) -> Bool {
    var address = loopbackAddress(number)
    let descriptor = bound(AF_INET, kind, &address, socklen_t(MemoryLayout<sockaddr_in>.size))
    if let descriptor { close(descriptor) }
    return descriptor != nil
  }

  private static func bound<Address>(
    _ family: Int32, _ kind: __socket_type, _ address: inout Address, _ length: socklen_t
  ) -> Int32? {
    let descriptor = socket(family, Int32(kind.rawValue | SOCK_CLOEXEC.rawValue), 0)
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
    }
    if status == 0 { return descriptor }
    close(descriptor)
    return nil
  }

  package static func answers(_ number: UInt16) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    var address = loopbackAddress(number)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    } == 0
  }

  private static func loopbackAddress(_ number: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = number.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return address
  }
}
