import HoldfastMediaModel
import HoldfastRTSP
import Testing

@Suite struct OutgoingBytesTests {
  @Test(arguments: [1, 2, 3, 100, 1000])
  func `what goes in comes out in order, however it is taken`(step: Int) {
    var bytes = OutgoingBytes()
    var expected: [UInt8] = []
    var taken: [UInt8] = []
    for round in 0..<200 {
      let piece = (0..<(round % 7)).map { UInt8(truncatingIfNeeded: round * 7 + $0) }
      bytes.append(contentsOf: piece)
      expected += piece
      let count = min(step, bytes.count)
      taken += bytes.withUnsent { span in (0..<count).map { span[$0] } }
      bytes.removeFirst(count)
    }
    taken += bytes.taken()
    #expect(taken == expected)
    #expect(bytes.isEmpty)
  }

  @Test func `more than there is can't be taken`() {
    var bytes = OutgoingBytes()
    bytes.append("abc")
    bytes.removeFirst(-1)
    #expect(bytes.count == 3)
    bytes.removeFirst(10)
    #expect(bytes.isEmpty)
  }
}
