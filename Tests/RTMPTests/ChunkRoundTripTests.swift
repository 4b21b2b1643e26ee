import HoldfastMediaModel
import Testing

@testable import HoldfastRTMP

/// Messages split by the writer and reassembled by the reader.
@Suite struct ChunkRoundTripTests {
  private var reader = ChunkReader()

  private static func wire(_ messages: [(message: RTMPMessage, chunkStream: Int)], chunkSize: Int? = nil)
    -> [UInt8]
  {
    var output = OutgoingBytes()
    var writer = ChunkWriter()
    if let chunkSize { writer.setChunkSize(chunkSize, in: &output) }
    for (message, chunkStream) in messages {
      guard let kind = message.kind else { continue }
      writer.write(
        kind, on: chunkStream, timestamp: message.timestamp, streamID: message.streamID,
        payload: message.payload[...], in: &output)
    }
    return output.takeAll()
  }

  private static func media(_ timestamps: [UInt32], size: Int = 300) -> [RTMPMessage] {
    timestamps.enumerated().map { index, time in
      RTMPMessage(
        .video, timestamp: time, streamID: 1, payload: Array(repeating: UInt8(index & 0xFF), count: size))
    }
  }

  @Test(arguments: RTMPMessage.Kind.allCases, Arrival.allCases)
  mutating func `a message of each kind is read back`(kind: RTMPMessage.Kind, arrival: Arrival) throws {
    let message = RTMPMessage(kind, timestamp: 1234, streamID: 0x0102_0304, payload: [0, 0, 1, 0, 2])
    #expect(try reader.take(Self.wire([(message, 5)]), arrival) == [message])
  }

  @Test(arguments: [1, 2, 127, 128, 129, 4096, 60_000, 0xFF_FFFF], Arrival.allCases)
  mutating func `messages of all sizes are read back with any chunk size`(chunkSize: Int, arrival: Arrival)
    throws
  {
    let sizes = [0, 1, 127, 128, 129, 256, 4096, 9999]
    let messages = sizes.enumerated().map { index, size in
      RTMPMessage(
        .audio, timestamp: UInt32(index * 23), streamID: 1,
        payload: (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    }
    let received = try reader.take(Self.wire(messages.map { ($0, 4) }, chunkSize: chunkSize), arrival)
    #expect(Array(received.dropFirst()) == messages)
  }

  @Test(
    arguments: [
      [0, 0xFF_FFFE, 0xFF_FFFF, 0x100_0000], [0xFF_FFFF, 0xFF_FFFF, 0x200_0000], [0x7FFF_FFFF, 0xFFFF_FFFF],
      [0xFFFF_FFF0, 0xFFFF_FFFF, 0, 40], [1000, 960, 0], [0, 0x8000_0000, 0x8000_0001], [5, 5, 5],
    ] as [[UInt32]], Arrival.allCases)
  mutating func `timestamps are read back, even far ahead, backwards and wrapped around`(
    timestamps: [UInt32], arrival: Arrival
  ) throws {
    let messages = try reader.take(Self.wire(Self.media(timestamps).map { ($0, 6) }), arrival)
    #expect(messages.map(\.timestamp) == timestamps)
  }

  @Test func `an extended timestamp is repeated in continuation chunks`() {
    let bytes = Self.wire(Self.media([0x0102_0304], size: 129).map { ($0, 6) })
    #expect(Array(bytes[..<16]) == [6, 0xFF, 0xFF, 0xFF, 0, 0, 129, 9, 1, 0, 0, 0, 1, 2, 3, 4])
    #expect(Array(bytes[(16 + 128)...]) == [0xC6, 1, 2, 3, 4, 0])
  }

  @Test func `a first message has a header of 12 bytes, and the next one of 8`() {
    let bytes = Self.wire(Self.media([10, 30], size: 1).map { ($0, 6) })
    let expected: [UInt8] = [6, 0, 0, 10, 0, 0, 1, 9, 1, 0, 0, 0, 0, 0x46, 0, 0, 20, 0, 0, 1, 9, 1]
    #expect(bytes == expected)
  }

  @Test(arguments: Arrival.allCases)
  mutating func `a new chunk size takes effect from the next chunk on`(arrival: Arrival) throws {
    var output = OutgoingBytes()
    var writer = ChunkWriter()
    let payload = Array(repeating: UInt8(3), count: 1000)
    for size in [100, 5000, 1, 700] {
      writer.write(.video, on: 6, payload: payload[...], in: &output)
      writer.setChunkSize(size, in: &output)
    }
    writer.write(.video, on: 6, payload: payload[...], in: &output)
    let videos = try reader.take(output.takeAll(), arrival).filter { $0.kind == .video }
    #expect(videos.map(\.payload) == Array(repeating: payload, count: 5))
  }

  @Test func `head and payload form one message with any chunk size`() throws {
    for size in 1...20 {
      var head = ChunkWriter.Head()
      head.append(bigEndian: 0x0102_0304)
      head.append(5)
      var output = OutgoingBytes()
      var writer = ChunkWriter()
      writer.setChunkSize(size, in: &output)
      let payload: [UInt8] = [9, 9, 6, 7, 8, 9, 9]
      writer.write(.video, on: 6, head: head, payload: payload[2..<5], in: &output)
      var reader = ChunkReader()
      #expect(try reader.take(output.takeAll()).last?.payload == [1, 2, 3, 4, 5, 6, 7, 8])
    }
  }
}
