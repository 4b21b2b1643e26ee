import HoldfastMediaModel
import Testing

@testable import HoldfastPublishing

/// A transport stream on its way into a network's packets.
@Suite struct PayloadTests {
  private var queue = OutgoingBytes()

  /// Takes as many payloads as there is `room` for.
  private mutating func drain(size: Int, includingPartial: Bool, room: Int = .max) throws -> [[UInt8]] {
    var taken: [[UInt8]] = []
    try queue.drain(payloadSize: size, includingPartial: includingPartial) { payload in
      guard taken.count < room else { return false }
      taken.append(payload.withUnsafeBufferPointer { Array($0) })
      return true
    }
    return taken
  }

  @Test mutating func `full SRT payloads are sent, and the rest only on request`() throws {
    queue.append(contentsOf: [1, 2])
    #expect(try drain(size: 3, includingPartial: false) == [])
    queue.append(contentsOf: [3, 4, 5, 6, 7])
    #expect(try drain(size: 3, includingPartial: false) == [[1, 2, 3], [4, 5, 6]])
    #expect(queue.count == 1)
    #expect(try drain(size: 3, includingPartial: true) == [[7]])
    #expect(queue.count == 0)
  }

  @Test mutating func `bytes that the SRT socket does not take stay in order`() throws {
    queue.append(contentsOf: [1, 2, 3, 4, 5])
    #expect(try drain(size: 2, includingPartial: true, room: 1) == [[1, 2]])
    #expect(queue.count == 3)
    queue.append(contentsOf: [6])
    #expect(try drain(size: 2, includingPartial: true) == [[3, 4], [5, 6]])
  }

  @Test(arguments: [1, 2, 7, 188, 1316])
  mutating func `no bytes are lost or doubled with any room`(room: Int) throws {
    var (given, got): ([UInt8], [UInt8]) = ([], [])
    for round in 0..<50 {
      let bytes = (0..<(round * 37)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ round) }
      given += bytes
      queue.append(contentsOf: bytes)
      got += try drain(size: 1316, includingPartial: round % 3 == 0, room: room).joined()
    }
    got += try drain(size: 1316, includingPartial: true).joined()
    #expect(got == given)
  }
}
