import HoldfastMediaModel
import HoldfastRTSP
import Testing

@Suite struct ControlProtocolTests {
  /// A receiver report about source 7: a quarter lost lately.
  private let report: [UInt8] = [
    0x81, 201, 0, 7, 0, 0, 0, 1, 0, 0, 0, 7, 64, 0, 0, 3, 0, 1, 0, 2, 0, 0, 0, 90, 0x12, 0x34, 0x56, 0x78, 0,
    1, 0, 0,
  ]

  @Test func `a receiver report is read`() {
    let reports = ReceptionReport.reports(in: report.span)
    #expect((reports.map(\.source), reports.map(\.lossRate)) == ([7], [0.25]))
  }

  @Test func `all report blocks of a compound packet are read, and nothing else`() {
    let description: [UInt8] = [0x81, 202, 0, 2, 0, 0, 0, 1, 1, 1, 0x61, 0]
    let sender: [UInt8] = [0x81, 200, 0, 12] + [UInt8](repeating: 0, count: 24) + report.dropFirst(8)
    let bytes = report + description + sender
    #expect(ReceptionReport.reports(in: bytes.span).map(\.source) == [7, 7])
  }

  @Test func `a truncated or malformed report gives only its complete blocks`() {
    for length in 0..<report.count {
      let bytes = Array(report.prefix(length))
      #expect(ReceptionReport.reports(in: bytes.span).isEmpty)
    }
    let bytes = report + [0, 1, 2, 3, 4, 5, 6, 7]
    #expect(ReceptionReport.reports(in: bytes.span).count == 1)
    var boasting = report
    boasting[0] = 0x9F
    #expect(ReceptionReport.reports(in: boasting.span).count == 1)
  }

  @Test func `a sender report gives the same instant on both clocks`() {
    let time = NTPTime(wallClockNanoseconds: 500_000_000)
    let bytes = SenderReport(
      source: 0x0102_0304, wallClock: time, mediaTime: 90_000, packets: 5, octets: 258, name: "ab"
    ).bytes
    #expect(
      bytes == [
        0x80, 200, 0, 6, 1, 2, 3, 4, 0x83, 0xAA, 0x7E, 0x80, 0x80, 0, 0, 0, 0, 1, 0x5F, 0x90, 0, 0, 0, 5, 0,
        0, 1, 2, 0x81, 202, 0, 3, 1, 2, 3, 4, 1, 2, 0x61, 0x62, 0, 0, 0, 0,
      ])
  }

  @Test(arguments: 0..<10)
  func `a sender report consists of whole words for a name of any length`(length: Int) {
    let time = NTPTime(wallClockNanoseconds: 0)
    let name = String(repeating: "x", count: length)
    let bytes = SenderReport(source: 1, wallClock: time, mediaTime: 0, packets: 0, octets: 0, name: name)
      .bytes
    #expect(bytes.count % 4 == 0 && bytes.last == 0)
    #expect(bytes.count == 28 + 4 * (Int(bytes[31]) + 1))
  }
}
