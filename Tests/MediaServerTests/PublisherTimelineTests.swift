import HoldfastMediaModel
import Testing

@testable import HoldfastMediaServer

@Suite struct PublisherTimelineTests {
  @Test(
    arguments: [
      // Times that start at 0 are unchanged.
      ([(0, .audio), (23, .audio), (40, .video), (46, .audio)], [0, 23, 40, 46]),
      // Times that start elsewhere are shifted to 0.
      ([(5_000_000, .audio), (5_000_023, .video)], [0, 23]),
      // Time continues when the 32-bit timestamp wraps around.
      ([(0xFFFF_FFF0, .video), (0x10, .video)], [0, 32]),
      // One track may lag behind the other.
      ([(1000, .audio), (400, .video), (1023, .audio), (440, .video)], [1000, 400, 1023, 440]),
      // No track goes back in time.
      ([(0, .video), (80, .video), (40, .video), (120, .video)], [0, 80, 80, 120]),
      // A publisher that restarts its clock continues after its last time.
      (
        [(0, .video), (9_000, .video), (60_000, .video), (0, .video), (40, .video)],
        [0, 9_000, 60_000, 60_001, 60_041]
      ),
      // No time is negative.
      ([(20_000, .audio), (19_000, .video)], [0, 0]),
    ] as [([(UInt32, TrackKind)], [Int64])])
  func `times start at 0, wrap around, and never decrease within a track`(
    stamps: [(UInt32, TrackKind)], expected: [Int64]
  ) {
    var timeline = PublisherTimeline()
    #expect(stamps.map { timeline.time(of: $0.0, for: .media($0.1)) } == expected)
  }

  @Test func `times beyond 49 days are counted`() {
    var timeline = PublisherTimeline()
    var raw: UInt32 = 0
    var last: Int64 = 0
    for _ in 0..<9 {
      last = timeline.time(of: raw, for: .media(.video))
      raw &+= 0x4000_0000
    }
    #expect(last == 8 * 0x4000_0000)
  }

  @Test func `metadata and data with the time 0 do not move the timeline`() {
    var timeline = PublisherTimeline()
    let kinds: [(UInt32, StreamMessage.Kind)] = [
      (0, .media(.video)), (60_000, .media(.video)), (0, .metadata), (60_040, .media(.video)), (0, .data),
    ]
    #expect(kinds.map { timeline.time(of: $0.0, for: $0.1) } == [0, 60_000, 60_000, 60_040, 60_040])
  }
}
