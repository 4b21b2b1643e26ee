import MediaModel
import Testing

@testable import Commands

@Suite struct WrittenQuantitiesTests {
  @Test(arguments: [
    ("90", 90_000), ("1.5s", 1500), ("250ms", 250), ("10m", 600_000), ("2h", 7_200_000), ("0", 0),
    ("0.001", 1),
    ("0.5h", 1_800_000), ("8784h", 31_622_400_000), ("007", 7000),
  ])
  func `durations are read`(text: String, milliseconds: Int64) {
    #expect(MediaTime(written: text) == .milliseconds(milliseconds))
  }

  @Test(arguments: [
    "", "s", "-1", "+1", ".5", "5.", "1..2", "1.2.3", "1 s", " 1", "1S", "1d", "1e3", "0x10", "inf", "nan",
    "1m30s",
    "8785h", "9999999999999999999", "1,5", "٣",
  ])
  func `what is no duration is refused`(text: String) {
    #expect(MediaTime(written: text) == nil)
  }

  @Test(arguments: [(2000, "2s"), (250, "250ms"), (600_000, "600s"), (0, "0s")])
  func `durations are written as they are read`(milliseconds: Int64, text: String) {
    #expect(MediaTime.milliseconds(milliseconds).written == text)
    #expect(MediaTime(written: text) == .milliseconds(milliseconds))
  }

  @Test(arguments: [
    ("2500k", 2_500_000), ("2.5M", 2_500_000), ("128000", 128_000), ("2500K", 2_500_000), ("0", 0),
    ("0.1M", 100_000),
    ("2.4567k", 2457),
  ])
  func `rates are read`(text: String, rate: Int) {
    #expect(Bitrate.read(text) == rate)
  }

  @Test(arguments: ["", "k", "-1k", "2m", "2G", "2.5 M", "2.5Mb", "1e6", "inf", ".5M", "999999999999999999"])
  func `what is no rate is refused`(text: String) {
    #expect(Bitrate.read(text) == nil)
  }

  @Test(arguments: [(2_500_000, "2500k"), (128_001, "128001"), (0, "0k")])
  func `rates are written as they are read`(rate: Int, text: String) {
    #expect(Bitrate.written(rate) == text)
    #expect(Bitrate.read(text) == rate)
  }
}
