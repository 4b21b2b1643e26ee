import Glibc
import HoldfastCPlatform

/// Datagrams that the kernel drops before a program sees them: those that begin with the number `kind`, and in which the
/// number at an offset is over a limit, or missing. Both are big-endian and have 32 bits.
package struct DatagramFilter: Sendable {
  private let kind: UInt32
  private let offset: UInt32
  private let limit: UInt32

  package init(of kind: UInt32, over limit: UInt32, at offset: UInt32) {
    self.kind = kind
    self.limit = limit
    self.offset = offset
  }

  /// A filtered UDP socket in the family of `peer`, not bound yet. Calls on it block, as libsrt expects of a socket.
  package func makeSocket(toReach peer: SocketAddress) throws(SystemError) -> FileDescriptor {
    let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
    let socket = FileDescriptor(owning: try check("socket") { Glibc.socket(peer.family, kind, 0) })
    var program = program
    try check("SO_ATTACH_FILTER") {
      program.withUnsafeMutableBufferPointer { instructions in
        var filter = sock_fprog(len: UInt16(instructions.count), filter: instructions.baseAddress)
        return setsockopt(
          socket.raw, SOL_SOCKET, SO_ATTACH_FILTER, &filter, socklen_t(MemoryLayout<sock_fprog>.size))
      }
    }
    return socket
  }

  /// Classic BPF; the datagram begins with its UDP header. A load from behind the end drops it.
  private var program: [sock_filter] {
    let (take, drop) = (UInt32.max, UInt32(0))
    return [
      instruction(BPF_LD | BPF_W | BPF_ABS, Self.udpHeader),
      instruction(BPF_JMP | BPF_JEQ | BPF_K, kind, ifNot: 2),
      instruction(BPF_LD | BPF_W | BPF_ABS, Self.udpHeader + offset),
      instruction(BPF_JMP | BPF_JGT | BPF_K, limit, if: 1),
      instruction(BPF_RET | BPF_K, take),
      instruction(BPF_RET | BPF_K, drop),
    ]
  }

  private static let udpHeader: UInt32 = 8

  /// `if` and `ifNot` are the numbers of instructions that a jump skips.
  private func instruction(
    _ code: Int32, _ value: UInt32, if skipped: UInt8 = 0, ifNot otherwise: UInt8 = 0
  ) -> sock_filter {
    sock_filter(code: UInt16(code), jt: skipped, jf: otherwise, k: value)
  }
}
