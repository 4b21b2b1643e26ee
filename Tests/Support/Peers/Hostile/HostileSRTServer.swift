import Glibc
import HoldfastMediaModel
import HoldfastPlatform

/// An SRT listener that accepts every caller, written independently of libsrt, and then misbehaves.
package final class HostileSRTServer: Sendable {
  package enum Habit: Hashable, Sendable {
    /// Accepts with this flow window, in packets, and acknowledges nothing.
    case announcesWindow(UInt32)
    /// Answers the first handshake only, again and again.
    case drips
    /// Sends control and data packets of random content without end.
    case floods
    /// Acknowledges packets that it never got.
    case fakesProgress
  }

  package let port: UInt16
  private let accepted = Locked(0)
  private let thread: StoppableThread

  package init(_ habit: Habit) throws {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    let reserved = try LoopbackPort()
    port = reserved.number
    guard withLoopback(port, { bind(descriptor, $0, $1) }) == 0 else {
      throw TestFailure("the port is taken")
    }
    let accepted = accepted
    thread = try StoppableThread(name: "srt-hostile") { stop in
      defer { close(descriptor) }
      var talk = Talk(descriptor: descriptor, habit: habit)
      while !stop.isSignalled {
        _ = try? stop.poll([descriptor], until: .now + .milliseconds(talk.isLoud ? 1 : 100))
        talk.receive()
        talk.speak()
        accepted.withLock { $0 = talk.accepted }
      }
      withExtendedLifetime(reserved) {}
    }
  }

  deinit { stop() }

  package func stop() { thread.stop() }

  package var url: String { "srt://127.0.0.1:\(port)" }
  /// How many handshakes were answered to their end.
  package var connections: Int { accepted.withLock { $0 } }

  private struct Talk {
    let descriptor: Int32
    let habit: Habit
    var accepted = 0
    private var peer = sockaddr_in()
    private var peerSocket: UInt32 = 0
    private var acknowledgements: UInt32 = 0
    private var sequence: UInt32 = 0
    private var randomness = SystemRandomNumberGenerator()

    init(descriptor: Int32, habit: Habit) {
      self.descriptor = descriptor
      self.habit = habit
    }

    var isLoud: Bool { accepted > 0 && (habit == .floods || habit == .fakesProgress) }

    /// Handles what has come.
    mutating func receive() {
      var buffer = [UInt8](repeating: 0, count: 2048)
      for _ in 0..<1000 {
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (descriptor, size) = (descriptor, buffer.count)
        let count = withUnsafeMutablePointer(to: &peer) { pointer in
          pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            recvfrom(descriptor, &buffer, size, Int32(MSG_DONTWAIT), $0, &length)
          }
        }
        guard count > 0 else { return }
        if count >= 64, Self.number(buffer, 0) == 0x8000_0000 { answerHandshake(Array(buffer[..<count])) }
      }
    }

    private mutating func answerHandshake(_ request: [UInt8]) {
      peerSocket = Self.number(request, 40)
      sequence = Self.number(request, 24)
      let isConclusion = Self.number(request, 36) == 0xFFFF_FFFF
      guard !isConclusion || habit != .drips else { return }
      var window: UInt32 = 8192
      if isConclusion, case .announcesWindow(let packets) = habit { window = packets }
      // Induction is answered with SRT's magic number, the conclusion with the flag of its extension.
      let content: [UInt32] =
        [5, isConclusion ? 1 : 0x4A17, sequence, 1500, window, isConclusion ? 0xFFFF_FFFF : 1]
        + [0x1234_5678, isConclusion ? 0 : 0xC00C_1E00, 0x0100_007F, 0, 0, 0]
      let latencies: UInt32 = 120 << 16 | 120
      send(0x8000_0000, content + (isConclusion ? [2 << 16 | 3, 0x0001_0501, 0xBF, latencies] : []))
      if isConclusion { accepted += 1 }
    }

    mutating func speak() {
      guard isLoud else { return }
      switch habit {
      case .announcesWindow, .drips: break
      case .floods:
        for _ in 0..<50 {
          let kind = UInt32.random(in: 1...8, using: &randomness)
          let isData = kind == 8
          send(
            isData ? UInt32.random(in: 0..<0x8000_0000, using: &randomness) : 0x8000_0000 | kind << 16,
            (0..<200).map { _ in UInt32.random(in: 0 ... .max, using: &randomness) })
        }
      case .fakesProgress:
        acknowledgements += 1
        sequence = (sequence + 500) & 0x7FFF_FFFF
        send(
          0x8002_0000, [sequence, 10_000, 1000, 8192, 1000, 1000, 1_000_000], information: acknowledgements)
      }
    }

    private func send(_ head: UInt32, _ content: [UInt32], information: UInt32 = 0) {
      let words = [head, information, 0, peerSocket] + content
      let bytes = words.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
      _ = withUnsafePointer(to: peer) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          sendto(
            descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT), $0,
            socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
    }

    private static func number(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
      bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
  }
}
