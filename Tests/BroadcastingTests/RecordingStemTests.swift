import MediaModel
import Testing

@testable import Broadcasting

@Suite struct RecordingStemTests {
  @Test func `recordings are named after the time`() {
    let instant = WallTime(nanoseconds: 1_795_234_930_999_000_000)
    #expect(recordingStem(name: "hall", at: instant) == "hall-20261121T042210Z")
  }
}
