import HoldfastMediaModel
import HoldfastRTSP
import Testing

@Suite struct ControlProtocolTests {
  /// A receiver report about source 7: a quarter lost lately, 3 in all, jitter 90.
  private let report: [UInt8] = [
    0x81, 201, 0, 7, 0, 0, 0, 1, 0, 0, 0, 7, 64, 0, 0, 3, 0, 1, 0, 2, 0, 0, 0, 90, 0x12, 0x34, 0x56, 0x78, 0,
    1, 0, 0,
  ]

  @Test func `a receiver report is read`() throws {
    let reports = ReceptionReport.reports(in: report.span)
    let found = try #require(reports.first)
    #expect(reports.count == 1)
    #expect(found.source == 7)
    #expect(found.lossRate == 0.25)
    #expect(found.packetsLost == 3)
    #expect(found.highestSequence == 0x10002)
    #expect(found.jitter == 90)
    #expect(found.lastSenderReport == 0x1234_5678)
    #expect(found.delay == 65536)
  }

  @Test func `packets that came twice make the sum negative`() throws {
    var bytes = report
    bytes.replaceSubrange(13..<16, with: [0xFF, 0xFF, 0xFE])
    #expect(ReceptionReport.reports(in: bytes.span).first?.packetsLost == -2)
  }

  @Test func `all blocks of a compound packet are read, and nothing else`() {
    let description: [UInt8] = [0x81, 202, 0, 2, 0, 0, 0, 1, 1, 1, 0x61, 0]
    let sender: [UInt8] = [0x81, 200, 0, 12] + [UInt8](repeating: 0, count: 24) + report.dropFirst(8)
    let bytes = report + description + sender
    #expect(ReceptionReport.reports(in: bytes.span).map(\.source) == [7, 7])
  }

  @Test func `what is cut short or malformed gives what is whole before it`() {
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

  @Test func `the round trip is what is left of the time since the sender's report`() {
    let found = ReceptionReport.reports(in: report.span)
    let sent = NTPTime(wallClockNanoseconds: 1_700_000_000_000_000_000)
    let bytes: [UInt8] = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sent.middle >> $0) }
    var answer = report
    answer.replaceSubrange(24..<28, with: bytes)
    let received = NTPTime(wallClockNanoseconds: 1_700_000_001_250_000_000)
    let trip = ReceptionReport.reports(in: answer.span).first?.roundTrip(at: received)
    #expect(trip.map { abs($0.milliseconds - 250) < 0.1 } == true)
    #expect(found.first?.roundTrip(at: NTPTime(wallClockNanoseconds: 0)) != .zero)
  }

  @Test func `before a sender's report there is no round trip`() {
    var bytes = report
    bytes.replaceSubrange(24..<28, with: [0, 0, 0, 0])
    let found = ReceptionReport.reports(in: bytes.span).first
    #expect(found != nil)
    #expect(found?.roundTrip(at: NTPTime(wallClockNanoseconds: 0)) == nil)
  }

  @Test func `a sender report says the same instant on both clocks`() {
    let time = NTPTime(wallClockNanoseconds: 500_000_000)
    let bytes = SenderReport(
      source: 0x0102_0304, wallClock: time, mediaTime: 90_000, packets: 5, octets: 258, name: "ab"
    ).bytes
    #expect(
      bytes == [
        0x80, 200, 0, 6, 1, 2, 3, 4, 0x83, 0xAA, 0x7E, 0x80, 0x80, 0, 0, 0, 0, 1, 0x5F, 0x90, 0, 0, 0, 5, 0,
        0, 1, 2,
        0x81, 202, 0, 3, 1, 2, 3, 4, 1, 2, 0x61, 0x62, 0, 0, 0, 0,
      ])
  }

  @Test(arguments: 0..<10)
  func `a sender report is made of whole words, whatever the name`(length: Int) {
    let time = NTPTime(wallClockNanoseconds: 0)
    let name = String(repeating: "x", count: length)
    let bytes = SenderReport(source: 1, wallClock: time, mediaTime: 0, packets: 0, octets: 0, name: name)
      .bytes
    #expect(bytes.count % 4 == 0)
    #expect(bytes.count == 28 + 4 * (Int(bytes[31]) + 1))
    #expect(bytes.last == 0)
  }
}
