import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRTMP

/// An RTMP server that accepts every publish and then misbehaves, on one connection at a time.
package final class HostileRTMPServer: Sendable {
  package enum Habit: String, Hashable, Sendable, CaseIterable {
    /// Asks without end, acknowledges bytes that it never got, and reads nothing.
    case floodsPings, floodsBandwidths, floodsWindows
    /// Acknowledges and answers pings at a leisurely pace, and reads nothing.
    case fakesProgress
    /// Sends statuses without end, and reads.
    case floodsStatuses
    /// Begins large messages on many chunk streams, finishes none of them, and reads.
    case floodsBeginnings
    /// Never finishes the handshake: a byte now and then.
    case drips
  }

  private let server: SerialServer

  package init(_ habit: Habit) throws {
    server = try SerialServer(name: "rtmp-hostile") { try Self.serve($0, habit, until: $1) }
  }

  package func stop() { server.stop() }

  package var port: UInt16 { server.port }
  package var url: String { "rtmp://127.0.0.1:\(port)/live/key" }
  package var connections: Int { server.connections }

  private static func serve(_ connection: consuming Connection, _ habit: Habit, until stop: Wakeup) throws {
    if habit == .drips { return try drip(on: &connection, until: stop) }
    guard try acceptPublish(on: &connection, until: stop) else { return }
    var flood = RTMPFlood(habit)
    var input: [UInt8] = []
    while !stop.isSignalled {
      flood.fill()
      let written = try flood.outgoing.write(to: &connection)
      if habit.reads, try connection.read(into: &input) == .ended { return }
      input.removeAll(keepingCapacity: true)
      // Faster than any network, and not so fast that the flood itself takes the machine.
      _ = stop.wait(until: .now + .milliseconds(written == 0 || habit.isSlow ? 5 : 1))
    }
  }

  /// False if the client has gone.
  private static func acceptPublish(on connection: inout Connection, until stop: Wakeup) throws -> Bool {
    let digests = MessageDigests(md5: md5, hmacSHA256: hmacSHA256)
    var server = RTMPServer(.init(digests: digests, random: randomBytes(1536)))
    var input: [UInt8] = []
    var isAccepted = false
    while !stop.isSignalled, !isAccepted || !server.outgoing.isEmpty {
      try connection.wait(
        toWrite: !server.outgoing.isEmpty, until: .now + .milliseconds(20), also: [stop.descriptor])
      if !isAccepted {
        input.removeAll(keepingCapacity: true)
        if try connection.read(into: &input) == .ended { return false }
        try server.receive(input.span)
        while let event = try server.next() {
          if case .publishRequested = event { isAccepted = true }
          server.accept()
        }
      }
      try server.outgoing.write(to: &connection)
    }
    return isAccepted
  }

  private static func drip(on connection: inout Connection, until stop: Wakeup) throws {
    var next: UInt8 = 3
    while !stop.wait(until: .now + .milliseconds(50)) {
      _ = try connection.write([next].span)
      next = 0
    }
  }
}

extension HostileRTMPServer.Habit {
  fileprivate var reads: Bool { [.floodsStatuses, .floodsBeginnings, .drips].contains(self) }
  fileprivate var isSlow: Bool { [.fakesProgress, .drips].contains(self) }
}

/// The messages that a hostile server repeats.
private struct RTMPFlood {
  let habit: HostileRTMPServer.Habit
  var outgoing = OutgoingBytes()
  private var writer = ChunkWriter()
  private var acknowledged: UInt32 = 0
  private var pongs: UInt32 = 0
  private var chunkStreams = 0

  private static let chunkSize = 60_000
  private static let status: [UInt8] = {
    func text(_ text: String) -> [UInt8] { [0, UInt8(text.utf8.count)] + Array(text.utf8) }
    let fields = [("code", "NetStream.Record.Start"), ("description", String(repeating: "x", count: 200))]
    return [2] + text("onStatus") + [UInt8](repeating: 0, count: 9) + [5, 3]
      + fields.flatMap { text($0.0) + [2] + text($0.1) } + [0, 0, 9]
  }()

  init(_ habit: HostileRTMPServer.Habit) {
    self.habit = habit
    writer.setChunkSize(Self.chunkSize, in: &outgoing)
  }

  mutating func fill() {
    guard outgoing.count < 16 << 10 else { return }
    switch habit {
    case .floodsPings: flood(.userControl, [0, 6, 1, 2, 3, 4])
    case .floodsBandwidths: flood(.setPeerBandwidth, [0, 0, 16, 0, 2])
    // All that is read at once gets one answer.
    case .floodsWindows: flood(.windowAcknowledgementSize, [0, 0, 0, 1], times: 20)
    case .fakesProgress: fakeProgress()
    case .floodsStatuses: for _ in 0..<50 { write(.commandAMF0, on: 3, Self.status) }
    case .floodsBeginnings: beginMessages()
    case .drips: break
    }
  }

  private mutating func flood(_ kind: RTMPMessage.Kind, _ payload: [UInt8], times: Int = 1000) {
    for _ in 0..<times { write(kind, on: 2, payload) }
    fakeProgress()
  }

  private mutating func fakeProgress() {
    acknowledged &+= 20_000
    pongs &+= 1
    write(.acknowledgement, on: 2, bigEndian(acknowledged))
    write(.userControl, on: 2, [0, 7] + bigEndian(pongs))
  }

  /// The first chunk of a message of almost 8 MiB, on the next chunk stream.
  private mutating func beginMessages() {
    chunkStreams = chunkStreams % 50 + 1
    outgoing.append(contentsOf: [UInt8(10 + chunkStreams), 0, 0, 0, 0x7F, 0xFF, 0xFF, 9, 1, 0, 0, 0])
    outgoing.append(contentsOf: [UInt8](repeating: 0, count: Self.chunkSize))
  }

  private mutating func write(_ kind: RTMPMessage.Kind, on chunkStream: Int, _ payload: [UInt8]) {
    writer.write(kind, on: chunkStream, payload: payload[...], in: &outgoing)
  }

  private func bigEndian(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
}
