package import HoldfastMediaModel

/// Splits messages into chunks. Copies a payload once and allocates nothing for a message.
package struct ChunkWriter: Sendable {
  private struct Last: Sendable {
    var timestamp: UInt32 = 0
    var streamID: UInt32 = 0
    var isKnown = false
  }

  /// A message's protocol-specific first bytes, stored inline.
  package struct Head: Sendable {
    static let room = 16
    private var bytes = InlineArray<16, UInt8>(repeating: 0)
    package private(set) var count = 0

    package init() {}

    mutating func append(_ byte: UInt8) {
      guard count < Self.room else { return }
      bytes[count] = byte
      count += 1
    }

    mutating func append(bigEndian value: UInt32, count: Int = 4) {
      for shift in (0..<count).reversed() { append(UInt8(truncatingIfNeeded: value >> (8 * UInt32(shift)))) }
    }

    subscript(index: Int) -> UInt8 { bytes[index] }
  }

  /// Large chunks cost little: messages are not interleaved.
  static let defaultChunkSize = 60_000
  static let maxMessageSize = 0xFF_FFFF

  package private(set) var chunkSize = 128
  private var last: [Last] = Array(repeating: Last(), count: 8)

  package init() {}

  /// Takes effect with the next message; `size` is at least 1.
  package mutating func setChunkSize(_ size: Int, in output: inout OutgoingBytes) {
    let size = min(max(1, size), ChunkReader.maxChunkSize)
    write(.setChunkSize, on: 2, number: UInt32(size), in: &output)
    chunkSize = size
  }

  mutating func write(
    _ kind: RTMPMessage.Kind, on chunkStream: Int, number: UInt32, in output: inout OutgoingBytes
  ) {
    var head = Head()
    head.append(bigEndian: number)
    write(kind, on: chunkStream, head: head, in: &output)
  }

  /// `chunkStream` is 2 to 9. The message is `head` followed by `payload`.
  package mutating func write(
    _ kind: RTMPMessage.Kind, on chunkStream: Int, timestamp: UInt32 = 0, streamID: UInt32 = 0,
    head: Head = Head(), payload: ArraySlice<UInt8> = [], in output: inout OutgoingBytes
  ) {
    let length = head.count + payload.count
    output.reserve(length + 18 + length / chunkSize * 5)
    let extended = begin(kind, chunkStream, timestamp, streamID, length: length, in: &output)
    var room = chunkSize
    for index in 0..<head.count {
      if room == 0 { room = proceed(chunkStream, extended, in: &output) }
      output.append(head[index])
      room -= 1
    }
    var rest = payload
    while !rest.isEmpty {
      if room == 0 { room = proceed(chunkStream, extended, in: &output) }
      let piece = rest.prefix(room)
      output.append(contentsOf: piece)
      rest = rest.dropFirst(piece.count)
      room -= piece.count
    }
  }

  /// Writes the header of a message's first chunk; returns the extended timestamp that later chunks repeat.
  private mutating func begin(
    _ kind: RTMPMessage.Kind, _ chunkStream: Int, _ timestamp: UInt32, _ streamID: UInt32, length: Int,
    in output: inout OutgoingBytes
  ) -> UInt32? {
    let slot = chunkStream - 2
    let before = last[slot]
    let delta = timestamp &- before.timestamp
    // A timestamp that goes back, or forward by more than half the range, is absolute.
    let isDelta = before.isKnown && before.streamID == streamID && delta < 0x8000_0000
    last[slot] = Last(timestamp: timestamp, streamID: streamID, isKnown: true)
    let time = isDelta ? delta : timestamp
    let isExtended = time >= 0xFF_FFFF
    output.append(UInt8(chunkStream) | (isDelta ? 0x40 : 0))
    output.append(bigEndian: isExtended ? 0xFF_FFFF : time, count: 3)
    output.append(bigEndian: UInt32(truncatingIfNeeded: length), count: 3)
    output.append(kind.rawValue)
    if !isDelta { output.append(littleEndian: streamID) }
    if isExtended { output.append(bigEndian: time) }
    return isExtended ? time : nil
  }

  private func proceed(_ chunkStream: Int, _ extended: UInt32?, in output: inout OutgoingBytes) -> Int {
    output.append(UInt8(chunkStream) | 0xC0)
    if let extended { output.append(bigEndian: extended) }
    return chunkSize
  }
}
