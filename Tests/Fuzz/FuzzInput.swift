import HoldfastMediaModel
import HoldfastRTMP

/// An input: the first byte selects where the conversation begins, the second how the rest arrives.
struct FuzzInput {
  let mode: UInt8
  let arrival: UInt8
  /// The bytes sent by the peer.
  let bytes: [UInt8]

  /// A mode whose rest consists of messages instead of chunks, so that the search need not discover chunking.
  static let framed: UInt8 = 0x08

  init?(_ input: borrowing Span<UInt8>) {
    guard input.count >= 2 else { return nil }
    mode = input[0]
    arrival = input[1]
    let rest = input.extracting(2..<input.count).withUnsafeBufferPointer { Array($0) }
    let talk = mode & Self.framed == 0 ? rest : Self.wire(rest)
    bytes = mode & Self.beginning == 0 ? Self.handshake(talk) : talk
  }

  /// The bits of the mode that select the beginning; 0 is before the handshake.
  static let beginning: UInt8 = 0x07

  /// Expands eight bytes to a whole handshake, so that inputs stay short; fewer than eight become a
  /// truncated one.
  private static func handshake(_ talk: [UInt8]) -> [UInt8] {
    let head = talk.prefix(8)
    guard head.count == 8 else { return Array(repeating: 3, count: talk.count * 200) }
    let packet = head.dropFirst() + Array(repeating: head[7], count: 1529)
    return Array(head.prefix(1) + packet + packet + talk.dropFirst(8))
  }

  /// Whether the bytes arrive in pieces as well as at once.
  var isCut: Bool { arrival & 0xC0 == 0xC0 }

  /// The chunks of messages, each with a byte for the type, one for the streams, and two for the length.
  private static func wire(_ records: [UInt8]) -> [UInt8] {
    var output = OutgoingBytes()
    var writer = ChunkWriter()
    var rest = records[...]
    while rest.count >= 4 {
      let head = Array(rest.prefix(4))
      rest = rest.dropFirst(4)
      let payload = rest.prefix(Int(head[2]) | Int(head[3] & 7) << 8)
      rest = rest.dropFirst(payload.count)
      guard let kind = RTMPMessage.Kind(rawValue: head[0]) else { continue }
      writer.write(
        kind, on: 2 + Int(head[1] & 7), timestamp: UInt32(head[3] >> 3), streamID: UInt32(head[1] >> 3 & 3),
        payload: payload, in: &output)
    }
    return output.takeAll()
  }

  /// The format that `wire` reads.
  static func records(_ messages: [RTMPMessage]) -> [UInt8] {
    messages.flatMap { message in
      let chunkStream: UInt8 = message.typeID < 7 ? 0 : message.typeID < 10 ? 4 : 1
      let stream = UInt8(truncatingIfNeeded: message.streamID & 3) << 3
      let size = min(message.payload.count, 0x7FF)
      return [message.typeID, chunkStream | stream, UInt8(size & 0xFF), UInt8(size >> 8)]
        + message.payload.prefix(size)
    }
  }

  static func chunks(of messages: [RTMPMessage]) -> [UInt8] { wire(records(messages)) }

  /// `seeds` with their messages as chunks.
  static func unframed(_ seeds: some Sequence<[UInt8]>) -> [[UInt8]] {
    seeds.compactMap { seed in FuzzInput(seed.span).map { [$0.mode & ~framed, $0.arrival] + $0.bytes } }
  }

  /// Calls `body` with each piece until it returns false.
  func forEachPiece(cut: Bool, _ body: (borrowing Span<UInt8>) -> Bool) {
    var offset = 0
    var state = UInt32(arrival)
    let span = bytes.span
    while offset < span.count {
      state = state &* 1_664_525 &+ 1_013_904_223
      let size = cut ? 1 + Int(state >> 24) % (arrival & 1 == 0 ? 3 : 97) : span.count
      let end = min(offset + size, span.count)
      guard body(span.extracting(offset..<end)) else { return }
      offset = end
    }
  }
}

/// Crashes if a claim does not hold, which makes the input a finding.
func require(_ isSo: Bool, _ claim: @autoclosure () -> String) {
  if !isSo { fatalError(claim()) }
}
