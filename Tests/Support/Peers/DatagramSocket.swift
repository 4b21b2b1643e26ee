import Glibc

/// A UDP socket on a port of the loopback that no other test uses.
final class DatagramSocket: Sendable {
  let descriptor: Int32
  private let reserved: LoopbackPort

  init() throws {
    reserved = try LoopbackPort()
    descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    let status = withLoopback(reserved.number) { [descriptor] in bind(descriptor, $0, $1) }
    guard status == 0 else { throw TestFailure("the port is taken") }
  }

  deinit { close(descriptor) }

  var port: UInt16 { reserved.number }

  /// What has come, and from where; nil if nothing has.
  func receive() -> (bytes: [UInt8], sender: sockaddr_in)? {
    var sender = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    var buffer = [UInt8](repeating: 0, count: 2048)
    let (descriptor, size) = (descriptor, buffer.count)
    let count = withUnsafeMutablePointer(to: &sender) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        recvfrom(descriptor, &buffer, size, Int32(MSG_DONTWAIT), $0, &length)
      }
    }
    return count > 0 ? (Array(buffer.prefix(count)), sender) : nil
  }

  func send(_ bytes: [UInt8], to receiver: sockaddr_in) {
    _ = withUnsafePointer(to: receiver) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(
          descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT), $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
