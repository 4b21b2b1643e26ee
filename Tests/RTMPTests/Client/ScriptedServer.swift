import HoldfastMediaModel
import HoldfastPlatform
import TestRandomness

@testable import HoldfastRTMP

/// A server with scripted answers that remembers what it was sent.
struct ScriptedServer {
  typealias Answer = @Sendable (_ transaction: Double) -> [RTMPMessage]

  /// The answers to a command of this name; other commands get no answer.
  var answers: [String: Answer] = [
    "connect": {
      [.result($0, .object([.init("fmsVer", .string("FMS/3"))]), .status("NetConnection.Connect.Success"))]
    },
    "releaseStream": { [.error($0, "NetConnection.Call.Failed")] },
    "createStream": { [.result($0, .null, .number(7))] },
    "publish": { _ in [.onStatus("NetStream.Publish.Start")] },
  ]
  private(set) var messages: [RTMPMessage] = []
  private var handshake: Handshake
  private var reader = ChunkReader()
  private var writer = ChunkWriter()
  private var output = OutgoingBytes()

  init(digests: MessageDigests = .real) {
    var randomness = SplitMix64(seed: 9)
    handshake = Handshake(.server, random: randomness.bytes(1536), digests: digests)
  }

  /// Speaks of its own accord.
  mutating func say(_ messages: RTMPMessage...) { for message in messages { say(message) } }

  private mutating func say(_ message: RTMPMessage) {
    guard let kind = message.kind else { return }
    if kind == .setChunkSize, let size = try? message.number() {
      writer.setChunkSize(Int(size), in: &output)
      return
    }
    writer.write(
      kind, on: message.streamID == 0 ? 3 : 5, timestamp: message.timestamp, streamID: message.streamID,
      payload: message.payload[...], in: &output)
  }

  mutating func take(_ bytes: [UInt8]) throws(RTMPError) {
    let span = bytes.span
    let offset = handshake.isFinished ? 0 : try handshake.receive(span, &output)
    guard offset < bytes.count else { return }
    for message in try reader.receive(span.extracting(offset..<bytes.count)) {
      messages.append(message)
      guard message.kind == .commandAMF0 else { continue }
      let values = try AMFReader.values(in: message.payload)
      guard let name = values.first?.text, let transaction = values.dropFirst().first?.number else {
        continue
      }
      for answer in answers[name]?(transaction) ?? [] { say(answer) }
    }
  }

  mutating func takeOutput() -> [UInt8] { output.takeAll() }

  var commands: [[AMFValue]] {
    messages.filter { $0.kind == .commandAMF0 }.compactMap { try? AMFReader.values(in: $0.payload) }
  }

  var commandNames: [String] { commands.compactMap { $0.first?.text } }

  func command(_ name: String) -> [AMFValue]? { commands.first { $0.first?.text == name } }

  func messages(_ kinds: RTMPMessage.Kind...) -> [RTMPMessage] {
    messages.filter { message in message.kind.map(kinds.contains) ?? false }
  }
}

extension RTMPMessage {
  static func command(_ name: String, _ values: AMFValue..., streamID: UInt32 = 0) -> RTMPMessage {
    RTMPMessage(.commandAMF0, streamID: streamID, payload: AMF0Writer.bytes(of: [.string(name)] + values))
  }

  static func result(_ transaction: Double, _ first: AMFValue, _ second: AMFValue) -> RTMPMessage {
    .command("_result", .number(transaction), first, second)
  }

  static func error(_ transaction: Double, _ code: String, _ description: String = "") -> RTMPMessage {
    .command("_error", .number(transaction), .null, .status(code, level: "error", description))
  }

  static func onStatus(_ code: String, level: String = "status", _ description: String = "") -> RTMPMessage {
    .command("onStatus", .number(0), .null, .status(code, level: level, description), streamID: 7)
  }

  static func control(_ kind: Kind, _ number: UInt32, _ tail: [UInt8] = []) -> RTMPMessage {
    RTMPMessage(kind, payload: number.bigEndianBytes + tail)
  }

  static func userControl(_ event: UInt8, _ number: UInt32) -> RTMPMessage {
    RTMPMessage(.userControl, payload: [0, event] + number.bigEndianBytes)
  }
}

extension AMFValue {
  static func status(_ code: String, level: String = "status", _ description: String = "") -> AMFValue {
    .object([
      .init("level", .string(level)), .init("code", .string(code)),
      .init("description", .string(description)),
    ])
  }
}

extension UInt32 {
  var bigEndianBytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: self >> (24 - 8 * UInt32($0))) } }
}

extension MessageDigests {
  static let real = MessageDigests(
    md5: { HoldfastPlatform.md5($0) }, hmacSHA256: { HoldfastPlatform.hmacSHA256(key: $0, message: $1) })
}
