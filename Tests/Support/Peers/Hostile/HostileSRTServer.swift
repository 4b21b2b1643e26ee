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

  private let socket: DatagramSocket
  private let accepted = Locked(0)
  private let thread: StoppableThread

  package init(_ habit: Habit) throws {
    socket = try DatagramSocket()
    thread = try StoppableThread(name: "srt-hostile") { [socket, accepted] stop in
      var talk = Talk(socket: socket, habit: habit)
      while !stop.isSignalled {
        _ = try? stop.poll([socket.descriptor], until: .now + .milliseconds(talk.isLoud ? 1 : 100))
        talk.receive()
        talk.speak()
        accepted.withLock { $0 = talk.accepted }
      }
    }
  }

  deinit { stop() }

  package func stop() { thread.stop() }

  package var port: UInt16 { socket.port }
  package var url: String { "srt://127.0.0.1:\(port)" }
  /// How many handshakes were answered to their end.
  package var connections: Int { accepted.withLock { $0 } }

  private struct Talk {
    let socket: DatagramSocket
    let habit: Habit
    var accepted = 0
    var peer = sockaddr_in()
    var peerSocket: UInt32 = 0
    var acknowledgements: UInt32 = 0
    var sequence: UInt32 = 0
    var randomness = SystemRandomNumberGenerator()

    var isLoud: Bool { accepted > 0 && (habit == .floods || habit == .fakesProgress) }

    /// Handles what has come.
    mutating func receive() {
      for _ in 0..<1000 {
        guard let (bytes, sender) = socket.receive() else { return }
        peer = sender
        if bytes.count >= 64, Self.number(bytes, 0) == 0x8000_0000 { answerHandshake(bytes) }
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
      socket.send(words.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }, to: peer)
    }

    private static func number(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
      bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
  }
}
