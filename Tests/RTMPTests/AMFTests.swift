import Testing

@testable import HoldfastRTMP

@Suite struct AMFTests {
  private static let values: [AMFValue] = [
    .number(0), .number(-1.5), .number(.infinity), .number(9_007_199_254_740_991), .boolean(true),
    .boolean(false), .string(""), .string("key ü 🎥"), .string(String(repeating: "x", count: 0xFFFF)),
    .string(String(repeating: "x", count: 0x10000)), .null, .undefined, .date(1_700_000_000_000), .object([]),
    .object([.init("a", .number(1)), .init("b", .object([.init("c", .null)]))]),
    .map([.init("duration", .number(0)), .init("encoder", .string("Holdfast"))]), .list([]),
    .list([.string("hvc1"), .number(1), .list([.null])]),
  ]

  @Test(arguments: values) func `values written in AMF0 are read back unchanged`(value: AMFValue) throws {
    let bytes = AMF0Writer.bytes(of: [value, .number(7)])
    #expect(try AMFReader.values(in: bytes) == [value, .number(7)])
  }

  @Test func `a command is written as AMF0 specifies`() {
    let bytes = AMF0Writer.bytes(of: [
      .string("ab"), .number(1), .object([.init("k", .boolean(true))]), .null,
    ])
    let expected: [UInt8] =
      [2, 0, 2, 0x61, 0x62] + [0, 0x3F, 0xF0, 0, 0, 0, 0, 0, 0] + [3, 0, 1, 0x6B, 1, 1, 0, 0, 9] + [5]
    #expect(bytes == expected)
  }

  @Test(
    arguments: [
      ([4], "a marker that is none"), ([0, 1, 2], "half a number"), ([2, 0, 5, 0x61], "half a text"),
      ([3, 0, 1, 0x61], "half an object"), ([3, 0, 0], "an object without its end"), ([1], "half a flag"),
      ([10, 0, 0, 0, 2, 5], "half a list"), ([7, 0, 0], "an invalid reference"),
      ([12, 0xFF, 0xFF, 0xFF, 0xFF], "a huge text"), ([17], "AMF3 without anything"),
    ] as [([UInt8], String)])
  func `incomplete or invalid AMF is malformed`(bytes: [UInt8], what: String) {
    #expect { try AMFReader.values(in: bytes) } throws: { error in
      if case .malformed? = error as? RTMPError { true } else { false }
    }
  }

  @Test(
    arguments: [[3, 0, 1, 0x61], [10, 0, 0, 0, 1], [8, 0, 0, 0, 1, 0, 1, 0x61], [17, 9, 3, 1]] as [[UInt8]])
  func `objects nested too deeply are refused`(opening: [UInt8]) {
    let inner: [UInt8] = opening[0] == 17 ? [9, 3, 1] : opening
    let bytes = opening + Array(repeatElement(inner, count: 10000).joined())
    #expect(throws: RTMPError.limitExceeded("nested objects")) { try AMFReader.values(in: bytes) }
  }

  @Test(
    arguments: [
      Array(repeating: 5, count: 3000), [10, 0xFF, 0xFF, 0xFF, 0xFF], [17, 9, 0xFF, 0xFF, 0xFF, 0xFF, 1],
      [3] + Array(repeatElement([0, 1, 0x61, 5] as [UInt8], count: 3000).joined()),
    ] as [[UInt8]])
  func `a message with too many values is refused`(bytes: [UInt8]) {
    #expect(throws: RTMPError.limitExceeded("values in one message")) { try AMFReader.values(in: bytes) }
  }

  @Test func `an empty key is a field unless it is followed by the end marker`() throws {
    let bytes: [UInt8] = [3, 0, 0, 5, 0, 0, 9]
    #expect(try AMFReader.values(in: bytes) == [.object([.init("", .null)])])
  }

  @Test(
    arguments: [
      ([0], .undefined), ([1], .null), ([2], .boolean(false)), ([3], .boolean(true)),
      ([4, 0x7F], .number(127)), ([4, 0x81, 0x02], .number(130)), ([4, 0xFF, 0xFF, 0xFF, 0xFF], .number(-1)),
      ([4, 0xC0, 0x80, 0x80, 0x00], .number(-268_435_456)), ([5, 0x3F, 0xF0, 0, 0, 0, 0, 0, 0], .number(1)),
      ([6, 5, 0x61, 0x62], .string("ab")), ([7, 3, 0x61], .other("bytes")),
      ([8, 1, 0, 0, 0, 0, 0, 0, 0, 0], .date(0)), ([8, 2], .other("reference")),
      ([9, 5, 1, 4, 1, 4, 2], .list([.number(1), .number(2)])),
      ([9, 1, 3, 0x61, 1, 1], .object([.init("a", .null)])),
      // A dynamic object with no fixed fields; the second key refers to the first.
      ([10, 0x0B, 1, 3, 0x61, 4, 1, 0, 4, 2, 1], .object([.init("a", .number(1)), .init("a", .number(2))])),
      ([10, 0x13, 1, 3, 0x61, 1], .object([.init("a", .null)])), ([12, 1], .other("bytes")),
    ] as [([UInt8], AMFValue)])
  func `values in AMF3 are understood`(bytes: [UInt8], value: AMFValue) throws {
    let values = try AMFReader.values(in: [17] + bytes + [5])
    #expect(values == [value, .null])
  }

  @Test func `an object's traits can be reused by reference`() throws {
    let bytes: [UInt8] = [17, 9, 5, 1, 10, 0x13, 1, 3, 0x61, 4, 1, 10, 1, 4, 2]
    let objects = AMFValue.list([.object([.init("a", .number(1))]), .object([.init("a", .number(2))])])
    #expect(try AMFReader.values(in: bytes) == [objects])
  }

  @Test func `the reader survives any truncation and any wrong byte`() {
    let whole = AMF0Writer.bytes(of: Self.values.filter { $0.text?.utf8.count ?? 0 < 1000 })
    for count in 0..<whole.count {
      _ = try? AMFReader.values(in: Array(whole[..<count]))
      var changed = whole
      changed[count] ^= 0xFF
      _ = try? AMFReader.values(in: changed)
      changed[count] = 17
      _ = try? AMFReader.values(in: changed)
    }
  }
}
