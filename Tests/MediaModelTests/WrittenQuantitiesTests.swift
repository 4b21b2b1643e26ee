import HoldfastMediaModel
import Testing

@Suite struct WrittenQuantitiesTests {
  @Test(arguments: [
    ("90", 90_000), ("1.5s", 1500), ("250ms", 250), ("10m", 600_000), ("2h", 7_200_000), ("0", 0),
    ("0.001", 1), ("7d", 604_800_000), ("0.5d", 43_200_000), ("366d", 31_622_400_000), ("0.5h", 1_800_000),
    ("8784h", 31_622_400_000), ("007", 7000),
  ])
  func `durations are read`(text: String, milliseconds: Int64) {
    #expect(MediaTime(written: text) == .milliseconds(milliseconds))
  }

  @Test(arguments: [
    "", "s", "-1", "+1", ".5", "5.", "1..2", "1.2.3", "1 s", " 1", "1S", "1D", "367d", "1w", "1e3", "0x10",
    "inf", "nan", "1m30s", "8785h", "9999999999999999999", "1,5", "٣",
  ])
  func `invalid durations are refused`(text: String) {
    #expect(MediaTime(written: text) == nil)
  }

  @Test(arguments: [(2000, "2s"), (250, "250ms"), (600_000, "600s"), (0, "0s")])
  func `durations are written so that they can be read back`(milliseconds: Int64, text: String) {
    let time = MediaTime.milliseconds(milliseconds)
    #expect((time.written, MediaTime(written: text)) == (text, time))
  }

  @Test(arguments: [
    ("2500k", 2_500_000), ("2.5M", 2_500_000), ("128000", 128_000), ("2500K", 2_500_000), ("0", 0),
    ("0.1M", 100_000), ("2.4567k", 2457),
  ])
  func `bit rates are read`(text: String, rate: Int) {
    #expect(Bitrate.read(text) == rate)
  }

  @Test(arguments: ["", "k", "-1k", "2m", "2G", "2.5 M", "2.5Mb", "1e6", "inf", ".5M", "999999999999999999"])
  func `invalid bit rates are refused`(text: String) {
    #expect(Bitrate.read(text) == nil)
  }

  @Test(arguments: [(2_500_000, "2500k"), (128_001, "128001"), (0, "0k")])
  func `bit rates are written so that they can be read back`(rate: Int, text: String) {
    #expect((Bitrate.written(rate), Bitrate.read(text)) == (text, rate))
  }

  @Test(arguments: [
    ("500M", 500 << 20), ("50G", 50 << 30), ("1.5G", 3 << 29), ("1T", 1 << 40), ("64k", 65_536),
    ("64K", 65_536), ("1000", 1000), ("0", 0), ("0M", 0),
  ])
  func `sizes in bytes are read`(text: String, bytes: Int) {
    #expect(ByteCount.read(text) == bytes)
  }

  @Test(arguments: [
    "", "M", "-1M", "500m", "1P", "1 G", "1GB", "1GiB", "1e9", "inf", ".5G", "999999999T", "1h",
  ])
  func `invalid sizes are refused`(text: String) {
    #expect(ByteCount.read(text) == nil)
  }

  @Test(arguments: [
    (256 << 20, "256M"), (1 << 40, "1T"), (1000, "1000"), (1536, "1536"), (3 << 29, "1536M"), (0, "0"),
  ])
  func `sizes are written so that they can be read back`(bytes: Int, text: String) {
    #expect((ByteCount.written(bytes), ByteCount.read(text)) == (text, bytes))
  }
}
