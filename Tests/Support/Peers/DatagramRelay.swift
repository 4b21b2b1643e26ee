import Glibc
import HoldfastMediaModel
import HoldfastPlatform

/// A way between a caller and a listener on which datagrams can be lost, and which can become narrow.
package final class DatagramRelay: Sendable {
  private struct Way: Sendable {
    var lossRate = 0.0
    /// Nil for no limit.
    var bytesPerSecond: Int?
  }

  /// What waits for its turn on a narrow way.
  private struct Waiting {
    var datagrams: [(bytes: [UInt8], due: MonotonicTime)] = []
    private var isFreeAt = MonotonicTime.now

    mutating func add(_ bytes: [UInt8], _ rate: Int?) {
      let duration = rate.map { MediaTime(nanoseconds: Int64(bytes.count) * 1_000_000_000 / Int64($0)) }
      isFreeAt = max(isFreeAt, .now) + (duration ?? .zero)
      datagrams.append((bytes, isFreeAt))
    }

    mutating func removeDue(_ rate: Int?) -> [[UInt8]] {
      if rate == nil { isFreeAt = .now }
      let due = datagrams.prefix { rate == nil || $0.due <= .now }
      datagrams.removeFirst(due.count)
      return due.map(\.bytes)
    }
  }

  private let socket: DatagramSocket
  private let stop: Wakeup
  private let way = Locked(Way())
  private let thread = ThreadSlot()

  /// How exactly a narrow way keeps its rate.
  private static let interval = MediaTime.milliseconds(5)

  package init(to target: UInt16) throws {
    socket = try DatagramSocket()
    stop = try Wakeup()
    try thread.start(name: "relay") { [socket, stop, way] in Self.run(socket, to: target, stop, way) }
  }

  deinit {
    stop.signal()
    thread.join()
  }

  package var port: UInt16 { socket.port }

  /// From now on, so many of the caller's datagrams are lost; with 1, all of both.
  package func lose(_ rate: Double) { way.withLock { $0.lossRate = rate } }

  /// From now on, the caller's datagrams arrive at this rate, however long they wait; nil for at once.
  package func throttle(bytesPerSecond rate: Int?) { way.withLock { $0.bytesPerSecond = rate } }

  /// What comes from the target goes to whoever last sent something else.
  private static func run(_ socket: DatagramSocket, to target: UInt16, _ stop: Wakeup, _ way: Locked<Way>) {
    var (caller, waiting) = (sockaddr_in(), Waiting())
    while true {
      let pause: MediaTime = waiting.datagrams.isEmpty ? .seconds(600) : interval
      guard let seen = try? stop.poll([socket.descriptor], until: .now + pause), seen != .signalled else {
        return
      }
      let now = way.withLock { $0 }
      if seen == .ready, let (bytes, sender) = socket.receive() {
        let isAnswer = UInt16(bigEndian: sender.sin_port) == target
        if !isAnswer { caller = sender }
        let isLost = isAnswer ? now.lossRate == 1 : Double.random(in: 0..<1) < now.lossRate
        switch (isLost, isAnswer) {
        case (true, _): break
        case (false, true): socket.send(bytes, to: caller)
        case (false, false): waiting.add(bytes, now.bytesPerSecond)
        }
      }
      for bytes in waiting.removeDue(now.bytesPerSecond) {
        _ = withLoopback(target) { sendto(socket.descriptor, bytes, bytes.count, 0, $0, $1) }
      }
    }
  }
}
