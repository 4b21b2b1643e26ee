import HoldfastMediaModel
import Testing

@testable import HoldfastPostproduction
@testable import HoldfastRecording

@Suite struct EditListTests {
  private func event(
    _ from: Double, _ to: Double, at: Double, clip: String = "hall-20261121T042210Z.mp4"
  ) -> EditList.Event {
    EditList.Event(
      clip: clip, reel: "HALL", source: MediaTime(seconds: from)..<MediaTime(seconds: to),
      at: MediaTime(seconds: at), wall: JournalSample.instant(at).wall)
  }

  private func list(_ events: [EditList.Event], _ rate: FrameRate = .thirty) -> EditList {
    EditList(title: "hall", channels: "AA/V", rate: TimecodeRate(nearest: rate), events: events)
  }

  @Test func `an edit list has an event for each piece, with its clip and wall time`() {
    #expect(
      list([event(0, 5, at: 1.25), event(5, 9.1, at: 9.5)]).text == """
        TITLE: hall
        FCM: NON-DROP FRAME

        001  HALL     AA/V  C        00:00:00:00 00:00:05:00 01:00:01:08 01:00:06:08
        * FROM CLIP NAME: hall-20261121T042210Z.mp4
        * WALL TIME: 2026-11-21T04:22:11.373Z

        002  HALL     AA/V  C        00:00:05:00 00:00:09:03 01:00:09:15 01:00:13:18
        * FROM CLIP NAME: hall-20261121T042210Z.mp4
        * WALL TIME: 2026-11-21T04:22:19.623Z

        """)
  }

  @Test(arguments: [
    ("25", "00:00:10:00 01:00:02:13"), ("24", "00:00:10:00 01:00:02:12"), ("50", "00:00:10:00 01:00:02:25"),
    // Without dropped numbers a second of timecode lasts a thousandth longer than one of the clock.
    ("30000/1001", "00:00:10:00 01:00:02:15"), ("60000/1001", "00:00:10:00 01:00:02:30"),
    ("24000/1001", "00:00:10:00 01:00:02:12"),
  ]) func `timecode counts pictures of the recording`(rate: String, expected: String) throws {
    let text = list([event(0, 10.008, at: 2.5)], try #require(FrameRate(rate))).text
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("001") })
    let times = line.split(separator: " ")
    #expect("\(times[5]) \(times[6])" == expected, "\(line)")
  }

  @Test(arguments: [
    ("29.83", "29.97"), ("30.3", "30"), ("24.99", "25"), ("15", "30"), ("12.5", "25"), ("23.976", "23.98"),
    ("59.9", "59.94"), ("144", "120"),
  ]) func `an estimated frame rate counts as the next usual one`(rate: String, usual: String) throws {
    #expect("\(TimecodeRate(nearest: try #require(FrameRate(rate))))" == usual)
  }

  @Test func `events do not overlap, and those shorter than a picture are left out`() {
    let text = list([event(0, 5.02, at: 0), event(5.02, 5.03, at: 5.2), event(0, 3, at: 4.9)]).text
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("00") }
    #expect(
      lines == [
        "001  HALL     AA/V  C        00:00:00:00 00:00:05:01 01:00:00:00 01:00:05:01",
        "002  HALL     AA/V  C        00:00:00:00 00:00:03:00 01:00:04:27 01:00:07:27",
      ])
  }

  @Test func `timecode ends after a day`() {
    #expect(list([event(0, 82_800, at: 0)]).fits && list([]).fits)
    #expect(!list([event(0, 82_801, at: 0)]).fits)
  }

  @Test func `reels are eight letters and digits, and different`() {
    let names = ["hall", "Hall", "main-camera-1", "main-camera-2", "überhall", "日本", "日本", "hall"]
    let expected = ["HALL", "HALL2", "MAINCAME", "MAINCAM2", "BERHALL", "REEL", "REEL2", "HALL3"]
    #expect(EditList.reels(names) == expected)
    let many = EditList.reels(Array(repeating: "camera-in-the-hall", count: 120))
    #expect(Set(many).count == 120 && many.allSatisfy { $0.count <= 8 })
  }

  @Test func `a name can't begin a line of its own`() {
    #expect(list([event(0, 1, at: 0, clip: "a\n002 b")]).text.contains("* FROM CLIP NAME: a 002 b\n"))
  }
}
