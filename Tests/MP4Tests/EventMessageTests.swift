import HoldfastMP4
import HoldfastMediaModel
import Testing

@Suite struct EventMessageTests {
  @Test func `a message has its time and length in milliseconds, and its texts`() {
    let message = EventMessage(
      scheme: "s", value: "v", id: 7, time: .milliseconds(5000), duration: .milliseconds(258), data: "d")
    let expected: [UInt8] =
      [0, 0, 0, 37] + Array("emsg".utf8) + [1, 0, 0, 0, 0, 0, 0x03, 0xE8, 0, 0, 0, 0, 0, 0, 0x13, 0x88]
      + [0, 0, 1, 2, 0, 0, 0, 7] + Array("s\0v\0d".utf8)
    #expect(message.bytes == expected)
  }

  @Test func `a time before the beginning is the beginning`() {
    let message = EventMessage(scheme: "", value: "", id: 0, time: .milliseconds(-1), data: "")
    #expect(Array(message.bytes[16..<24]) == [UInt8](repeating: 0, count: 8))
  }
}
