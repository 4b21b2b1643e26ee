import HoldfastMediaModel
import Testing

@Suite struct BytesTests {
  @Test func `numbers are written and read in network byte order`() {
    var bytes: [UInt8] = [9]
    bytes.append(bigEndian: 0x0102_0304, count: 3)
    bytes.append(bigEndian: .max, count: 8)
    bytes.append(zeros: 2)
    #expect(bytes == [9, 2, 3, 4] + [UInt8](repeating: 255, count: 8) + [0, 0])
    #expect(
      bytes[1..<4].bigEndian == 0x02_0304 && bytes[4..<12].bigEndian == .max && bytes[..<0].bigEndian == 0)
    #expect("moof".bigEndian == 0x6D6F_6F66)
  }

  @Test(arguments: [(0, 1), (30, 4), (90, 10), (99, 10)])
  func `a percentile is the value that so many of all are below`(percent: Int, value: Double) {
    #expect([7, 1, 3, 10, 9, 2, 5, 4, 8, 6].percentile(percent) == value)
    #expect([3].percentile(percent) == 3)
  }
}
