import TestRandomness
import Testing

@testable import HoldfastRTMP

/// The reader with chunks that our writer does not make: those of other programs, and invalid ones.
@Suite struct ChunkReaderTests {
  private static func header(
    _ chunkStream: UInt8, length: Int, kind: RTMPMessage.Kind = .video, time: UInt32 = 0, stream: UInt8 = 1
  ) -> [UInt8] {
    [chunkStream] + time.bigEndianBytes.dropFirst() + UInt32(length).bigEndianBytes.dropFirst()
      + [kind.rawValue, stream, 0, 0, 0]
  }

  private static func payload(_ count: Int, _ byte: UInt8 = 0) -> [UInt8] {
    Array(repeating: byte, count: count)
  }

  /// A control message that carries a number.
  private static func control(_ kind: RTMPMessage.Kind, _ value: UInt32) -> [UInt8] {
    header(2, length: 4, kind: kind) + value.bigEndianBytes
  }

  private func reader(_ limit: (inout RTMPLimits) -> Void) -> ChunkReader {
    var limits = RTMPLimits()
    limit(&limits)
    return ChunkReader(limits: limits)
  }

  private func read(_ bytes: [UInt8], _ arrival: Arrival = .whole) throws -> [RTMPMessage] {
    var reader = ChunkReader()
    return try reader.take(bytes, arrival)
  }

  @Test(arguments: Arrival.allCases)
  func `messages of several chunk streams may alternate`(arrival: Arrival) throws {
    let bytes =
      Self.header(4, length: 200, kind: .audio) + Self.payload(128, 1) + Self.header(6, length: 130)
      + Self.payload(128, 2) + [0xC4] + Self.payload(72, 1) + [0xC6] + Self.payload(2, 2)
    let messages = try read(bytes, arrival)
    #expect(messages.map(\.payload) == [Self.payload(200, 1), Self.payload(130, 2)])
  }

  @Test(arguments: Arrival.allCases)
  func `a new chunk size takes effect within a message`(arrival: Arrival) throws {
    let bytes =
      Self.header(6, length: 300) + Self.payload(128) + Self.control(.setChunkSize, 256) + [0xC6]
      + Self.payload(172)
    #expect(try read(bytes, arrival).map(\.kind) == [.setChunkSize, .video])
  }

  @Test(arguments: Arrival.allCases)
  func `chunk streams with two and three bytes are distinguished`(arrival: Arrival) throws {
    let small: [UInt8] = [0x00, 0] + Self.header(0, length: 1).dropFirst() + [1]
    let large: [UInt8] = [0x01, 0, 1] + Self.header(0, length: 1).dropFirst() + [2]
    // 64 in two bytes, then in three, then 320; the last ones repeat their stream's header.
    let again: [UInt8] = [0xC1, 0, 0, 3] + [0xC1, 0, 1, 4]
    let messages = try read(small + large + again, arrival)
    #expect(messages.map(\.payload) == [[1], [2], [3], [4]])
  }

  @Test func `each short header takes its omitted fields from the previous one`() throws {
    let bytes =
      Self.header(6, length: 1, time: 100) + [0] + [0x46, 0, 0, 40, 0, 0, 2, 9, 0, 0]
      + [0x86, 0, 0, 50, 0, 0] + [0xC6, 0, 0]
    let messages = try read(bytes)
    #expect(
      (messages.map(\.timestamp), messages.map(\.payload.count)) == ([100, 140, 190, 240], [1, 2, 2, 2]))
  }

  @Test(arguments: Arrival.allCases)
  func `an extended delta is repeated by headers without a time`(arrival: Arrival) throws {
    let bytes: [UInt8] =
      Self.header(6, length: 1) + [0] + [0x86, 0xFF, 0xFF, 0xFF, 1, 0, 0, 0, 7] + [0xC6, 1, 0, 0, 0, 8]
    #expect(try read(bytes, arrival).map(\.timestamp) == [0, 0x100_0000, 0x200_0000])
  }

  @Test(arguments: Arrival.allCases)
  func `an aborted message is forgotten, and the next one is whole`(arrival: Arrival) throws {
    let bytes =
      Self.header(6, length: 200) + Self.payload(128, 1) + Self.control(.abort, 6)
      + Self.header(6, length: 3) + [7, 8, 9]
    #expect(try read(bytes, arrival).map(\.payload) == [[0, 0, 0, 6], [7, 8, 9]])
  }

  @Test func `aborting a message that has not begun changes nothing`() throws {
    let bytes = Self.control(.abort, 6) + Self.header(6, length: 1) + [7]
    #expect(try read(bytes).count == 2)
  }

  @Test(arguments: Arrival.allCases) func `messages without content are read`(arrival: Arrival) throws {
    let messages = try read(Self.header(4, length: 0, kind: .audio) + [0xC4, 0xC4], arrival)
    #expect(messages.map(\.payload) == [[], [], []])
  }

  @Test func `a message of an unknown kind is read with its number`() throws {
    var bytes = Self.header(6, length: 1) + [5]
    bytes[7] = 99
    let message = try #require(try read(bytes).first)
    #expect(message.typeID == 99 && message.kind == nil)
  }

  @Test(
    arguments: [
      ([0xC6], "a chunk stream that begins without a header"),
      ([0x86, 0, 0, 1], "a chunk stream that begins without a header"),
      (
        header(6, length: 200) + payload(128) + header(6, length: 1),
        "a message begins within another one of its chunk stream"
      ),
      (control(.setChunkSize, 0), "a chunk size of 0"),
      (control(.setChunkSize, 1 << 31), "a chunk size of 0"),
      (header(2, length: 3, kind: .setChunkSize) + [0, 0, 1], "a control message is too short"),
      (header(2, length: 0, kind: .abort), "a control message is too short"),
    ] as [([UInt8], String)])
  func `chunks that break the rules are malformed`(bytes: [UInt8], what: String) {
    for arrival in Arrival.allCases {
      #expect(throws: RTMPError.malformed(what)) { try read(bytes, arrival) }
    }
  }

  @Test func `too many chunk streams are refused`() throws {
    var reader = ChunkReader()
    for stream in 0..<64 { _ = try reader.take([0, UInt8(stream)] + Self.header(0, length: 0).dropFirst()) }
    #expect(throws: RTMPError.limitExceeded("chunk streams")) {
      try reader.take([0, 64] + Self.header(0, length: 0).dropFirst())
    }
  }

  @Test func `a message that claims to be too long is refused before it arrives`() {
    var reader = reader { $0.messageSize = 1000 }
    #expect(throws: RTMPError.limitExceeded("a message of 1001 bytes")) {
      try reader.take(Self.header(6, length: 1001))
    }
  }

  @Test func `too many unfinished messages are refused before they exhaust memory`() throws {
    var reader = reader { ($0.messageSize, $0.pendingBytes) = (1000, 3000) }
    for stream in 3...5 { _ = try reader.take(Self.header(UInt8(stream), length: 1000) + Self.payload(128)) }
    #expect(throws: RTMPError.limitExceeded("unfinished messages")) {
      try reader.take(Self.header(6, length: 1000))
    }
  }

  @Test func `the memory for messages is free again when they are whole or aborted`() throws {
    var reader = reader { $0.pendingBytes = 1000 }
    for _ in 0..<10 {
      let whole = Self.header(6, length: 200) + Self.payload(128) + [0xC6] + Self.payload(72)
      let aborted = Self.header(7, length: 900) + Self.payload(128) + Self.control(.abort, 7)
      #expect(try reader.take(whole + aborted).count == 2)
    }
  }

  @Test func `random bytes do the reader no harm`() {
    var randomness = SplitMix64(seed: 3)
    for _ in 0..<2000 { _ = try? read(randomness.bytes(200)) }
  }
}
