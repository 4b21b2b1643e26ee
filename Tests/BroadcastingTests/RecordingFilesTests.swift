import HoldfastMediaModel
import Testing

@testable import HoldfastBroadcasting

@Suite struct RecordingFilesTests {
  @Test func `recordings are named after the time`() {
    let instant = WallTime(nanoseconds: 1_795_234_930_999_000_000)
    #expect(RecordingFiles.stem(name: "hall", at: instant) == "hall-20261121T042210Z")
  }
}
