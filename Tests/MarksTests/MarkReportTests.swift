import HoldfastMediaModel
import Testing

@testable import HoldfastMarks

@Suite struct MarkReportTests {
  /// The clock when the first picture was taken: second 13, whose pitch is 5.
  private let began = MonotonicTime(nanoseconds: 13_000_000_000)

  private func instant(ofPicture number: Int) -> MonotonicTime {
    began + FrameRate.thirty.time(ofFrame: Int64(number))
  }

  private func picture(_ number: Int, at time: MediaTime) -> MarkedPicture {
    MarkedPicture(
      time: time, mark: FrameMark(number: UInt32(number), captureTime: instant(ofPicture: number)))
  }

  /// Pictures as they were captured; the media time begins at the first one's capture.
  private func pictures(_ numbers: [Int]) -> [MarkedPicture] {
    numbers.map { picture($0, at: instant(ofPicture: $0) - began) }
  }

  private func beep(second: Int64, heardAt time: MediaTime) -> Beep {
    Beep(onset: time, pitch: SecondMark.pitch(ofSecond: second))
  }

  @Test func `a complete recording has no faults to report`() throws {
    let report = MarkReport(
      pictures: pictures(Array(0..<90)),
      beeps: (13...15).map { beep(second: $0, heardAt: .seconds($0 - 13)) })
    #expect(report.missing.isEmpty && report.unreadable == 0 && report.repeated == 0)
    #expect(report.goingBack == 0 && report.restarts == 0 && report.pictures == 90)
    #expect(report.first?.number == 0 && report.last?.number == 89)
    let offset = try #require(report.offset)
    #expect(report.offsets.count == 3 && abs(offset.minimum) < 0.01 && abs(offset.maximum) < 0.01)
    let jitter = try #require(report.jitter)
    #expect(abs(jitter.minimum) < 0.01 && abs(jitter.maximum) < 0.01)
    #expect(abs(try #require(report.interval).median - 33.33) < 0.01)
  }

  @Test(
    arguments: [
      ([0, 1, 2, 3], [], 0, 0), ([0, 2, 3, 7], [1...1, 4...6], 0, 0), ([5, 6, 6, 6, 7], [], 2, 0),
      ([1, 3, 2, 4], [], 0, 1), ([1, 2, 3, 1, 2, 3, 5], [4...4], 3, 1), ([9], [], 0, 0), ([], [], 0, 0),
    ] as [([Int], [ClosedRange<UInt32>], Int, Int)])
  func `missing, repeated and out-of-order pictures are reported`(
    numbers: [Int], missing: [ClosedRange<UInt32>], repeated: Int, goingBack: Int
  ) {
    let report = MarkReport(pictures: pictures(numbers), beeps: [])
    let found = (report.missing, report.repeated, report.goingBack, report.restarts)
    #expect(found == (missing, repeated, goingBack, 0))
  }

  @Test func `numbers that start over count as a restart, not a loss`() {
    let later = (0..<4).map { number in
      let mark = FrameMark(number: UInt32(number), captureTime: instant(ofPicture: 500 + number))
      return MarkedPicture(time: .seconds(10), mark: mark)
    }
    let report = MarkReport(pictures: pictures([0, 1, 2, 3, 5]) + later, beeps: [])
    let found = (report.missing, report.repeated, report.goingBack, report.restarts)
    #expect(found == ([4...4], 0, 0, 1))
  }

  @Test func `an unreadable picture is counted, and its number is missing`() {
    var all = pictures([0, 1, 2])
    all[1] = MarkedPicture(time: all[1].time, mark: nil)
    let report = MarkReport(pictures: all, beeps: [])
    #expect(report.unreadable == 1 && report.pictures == 3 && report.missing == [1...1])
  }

  @Test func `the highest picture number does not overflow`() {
    let marks = [UInt32.max, .max, 0].map { FrameMark(number: $0, captureTime: began) }
    let report = MarkReport(pictures: marks.map { MarkedPicture(time: .zero, mark: $0) }, beeps: [])
    #expect(report.missing == [1 ... .max - 1])
  }

  @Test(arguments: [0, 1, -1, 40, -250, 3900, -3900])
  func `the delay of the sound is measured`(milliseconds: Int64) {
    let late = MediaTime.milliseconds(milliseconds)
    let report = MarkReport(
      pictures: pictures(Array(0..<600)),
      beeps: (18...28).map { beep(second: $0, heardAt: .seconds($0 - 13) + late) })
    #expect(report.offsets.count == 11)
    #expect(report.offsets.allSatisfy { abs($0.milliseconds - Double(milliseconds)) < 0.01 })
  }

  @Test func `the sound's delay is interpolated between pictures that are far apart`() throws {
    let slow = [
      picture(0, at: .zero), picture(15, at: .milliseconds(510)), picture(30, at: .milliseconds(1020)),
    ]
    let report = MarkReport(pictures: slow, beeps: [beep(second: 13, heardAt: .milliseconds(255))])
    // Halfway to the second picture the media time is 5 ms behind, so the instant shown is 250 ms.
    #expect(abs(try #require(report.offset).median - 250) < 0.01)
  }

  @Test func `the sound's delay is measured across an interruption, but not right at it`() {
    // Pictures 30 to 119 are missing and the media time has closed up.
    let before = pictures(Array(0..<30))
    let after = (120..<180).map { picture($0, at: FrameRate.thirty.time(ofFrame: Int64($0 - 90))) }
    let report = MarkReport(
      pictures: before + after,
      beeps: [
        beep(second: 13, heardAt: .zero), beep(second: 17, heardAt: .milliseconds(990)),
        beep(second: 18, heardAt: .milliseconds(2010)),
      ])
    #expect((report.missing, report.offsets.map { $0.milliseconds.rounded() }) == ([30...119], [0, 10]))
  }

  @Test func `a beep without a nearby picture gives no delay`() {
    let report = MarkReport(
      pictures: pictures([0, 1]),
      beeps: [beep(second: 14, heardAt: .seconds(1)), beep(second: 16, heardAt: .seconds(3))])
    #expect(report.offsets.map(\.time) == [.seconds(1)])
    #expect(MarkReport(pictures: [], beeps: [beep(second: 1, heardAt: .zero)]).offsets.isEmpty)
  }

  @Test func `jitter is what transport adds to the intervals between pictures`() throws {
    let uneven = [
      picture(0, at: .zero), picture(1, at: .milliseconds(43)), picture(2, at: .milliseconds(67)),
      picture(5, at: .seconds(2)),
    ]
    let jitter = try #require(MarkReport(pictures: uneven, beeps: []).jitter)
    #expect(abs(jitter.maximum - 9.667) < 0.01 && abs(jitter.minimum + 9.333) < 0.01)
  }

  @Test func `the report is summarized in a few lines`() {
    let report = MarkReport(
      pictures: pictures([0, 1, 2, 3, 5, 6, 10]), beeps: [beep(second: 13, heardAt: .milliseconds(12))])
    #expect(
      report.description == """
        7 pictures, numbers 0 to 10, 0 unreadable
        missing: 4 (4, 7-9); repeated 0, back 0, restarts 0
        sound after picture: 12.00 ms (12.00 to 12.00) at 1 of 1 beeps
        frame interval: 33.33 ms (33.33 to 33.33), jitter 0.00 ms (0.00 to 0.00)
        """)
    let nothing = MarkReport(pictures: [], beeps: []).description
    #expect(nothing.hasPrefix("0 pictures, none with a mark\nmissing: none"))
  }
}
