import HoldfastMediaModel
import HoldfastRTMP

@testable import HoldfastRTMP

/// A client that sends exactly what a test scripts, and reads the server's answers.
struct RTMPServerScript {
  /// What the client says, or the server decides.
  typealias Step = (inout RTMPServerScript) -> Void

  var server: RTMPServer
  private var writer = ChunkWriter()
  private var reader = ChunkReader()
  private var bytes = OutgoingBytes()
  /// Everything that was said to the server.
  private(set) var said: [UInt8] = []

  static let digests = MessageDigests(
    md5: { _ in [] }, hmacSHA256: { _, _ in Array(repeating: 0, count: 32) })

  static func makeServer() -> RTMPServer {
    RTMPServer(.init(digests: digests, random: Array(repeating: 7, count: 1536)))
  }

  init() { server = Self.makeServer() }

  /// A connection that has come as far as its first stream.
  static func withStream() throws -> RTMPServerScript {
    var script = try connecting()
    script.server.accept()
    _ = try script.answers { $0.command("createStream", 2, [.null]) }
    return script
  }

  /// A connection that is about to be accepted or refused.
  static func connecting(_ more: [AMFValue.Field] = []) throws -> RTMPServerScript {
    var script = RTMPServerScript()
    script.shakeHands()
    _ = try script.events { $0.connect(more) }
    return script
  }

  /// A publish that is about to be accepted or refused, and what came right after it.
  static func askingToPublish(then say: Step = { _ in }) throws -> RTMPServerScript {
    var script = try withStream()
    script.publish("cam", "live")
    _ = try script.events(after: say)
    return script
  }

  static func publishing() throws -> RTMPServerScript {
    var script = try askingToPublish()
    script.server.accept()
    return script
  }

  static func askingToPlay() throws -> RTMPServerScript {
    var script = try withStream()
    _ = try script.events { $0.command("play", 3, [.null, .string("cam")], stream: 1) }
    return script
  }

  static func playing() throws -> RTMPServerScript {
    var script = try askingToPlay()
    _ = try script.answers { $0.server.accept() }
    return script
  }

  mutating func shakeHands() {
    bytes.append(3)
    bytes.append(contentsOf: Array(repeating: 0, count: 2 * 1536))
  }

  mutating func connect(_ more: [AMFValue.Field] = []) {
    command(
      "connect", 1,
      [.object([.init("app", .string("live?a=b")), .init("tcUrl", .string("rtmp://h/live"))] + more)])
  }

  mutating func command(_ name: String, _ transaction: Double, _ values: [AMFValue], stream: UInt32 = 0) {
    let payload = AMF0Writer.bytes(of: [.string(name), .number(transaction)] + values)
    writer.write(.commandAMF0, on: 3, streamID: stream, payload: payload[...], in: &bytes)
  }

  mutating func message(
    _ kind: RTMPMessage.Kind, _ payload: [UInt8], timestamp: UInt32 = 0, stream: UInt32 = 0
  ) {
    writer.write(kind, on: 4, timestamp: timestamp, streamID: stream, payload: payload[...], in: &bytes)
  }

  mutating func publish(_ name: String, _ type: String?) {
    command("publish", 3, [.null, .string(name)] + (type.map { [.string($0)] } ?? []), stream: 1)
  }

  /// Sends the scripted bytes, also those of a last step, and returns the server's events.
  mutating func events(after step: Step = { _ in }) throws -> [RTMPServer.Event] {
    step(&self)
    let piece = bytes.takeAll()
    said += piece
    try server.receive(piece.span)
    var events: [RTMPServer.Event] = []
    while let event = try server.next() { events.append(event) }
    return events
  }

  /// Sends the scripted bytes and returns the server's messages since the last time, without the handshake's bytes.
  mutating func answers(after step: Step = { _ in }) throws -> [RTMPMessage] {
    _ = try events(after: step)
    var piece = server.outgoing.takeAll()
    if !hasReadHandshake {
      piece.removeFirst(min(piece.count, 1 + 2 * 1536))
      hasReadHandshake = true
    }
    return try reader.receive(piece.span)
  }

  private var hasReadHandshake = false

  /// What the server's commands say: their names and values.
  mutating func commands(after step: Step = { _ in }) throws -> [[AMFValue]] {
    try answers(after: step).filter { $0.kind == .commandAMF0 }.map { try AMFReader.values(in: $0.payload) }
  }

  mutating func codes(after step: Step = { _ in }) throws -> [String] {
    try commands(after: step).compactMap { $0.last?["code"]?.text }
  }
}
