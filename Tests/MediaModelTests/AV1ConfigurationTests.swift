import HoldfastMediaModel
import Testing

@Suite struct AV1ConfigurationTests {
  private let unit: [UInt8] = [0x0A, 0x0B, 0, 0, 0, 0x04, 0x3C, 0xFE, 0xCC, 0xDA, 0xF9, 0x00, 0x40]

  @Test func `a sequence header becomes a record with its profile and level`() {
    #expect(AV1Configuration.record(headers: unit) == [0x81, 0, 0x0C, 0] + unit)
  }

  @Test func `a record is one already`() {
    let record: [UInt8] = [0x81, 0, 0x0C, 0] + unit
    #expect(AV1Configuration.record(headers: record) == record)
  }

  @Test func `the sequence header is found among the units of a key picture`() {
    let picture: [UInt8] = [0x12, 0] + unit + [0x32, 0x03, 1, 2, 3]
    #expect(Codec.av1.headers(annexB: picture.span) == unit)
    for length in 0..<2 + unit.count {
      #expect(Codec.av1.headers(annexB: Array(picture.prefix(length)).span) == nil)
    }
  }

  @Test func `a picture without a sequence header has no headers`() {
    let picture: [UInt8] = [0x12, 0, 0x32, 0x03, 1, 2, 3]
    #expect(Codec.av1.headers(annexB: picture.span) == nil)
  }

  @Test(arguments: [[], [0x81], [0x12, 0], [0x0A], [0x0A, 0x0B]])
  func `what is neither is refused`(bytes: [UInt8]) {
    #expect(AV1Configuration.record(headers: bytes) == nil)
  }
}
