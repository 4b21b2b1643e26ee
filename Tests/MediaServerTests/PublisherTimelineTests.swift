import HoldfastMediaModel
import Testing

@testable import HoldfastMediaServer

@Suite struct PublisherTimelineTests {
  private func times(_ stamps: [(UInt32, TrackKind)]) -> [Int64] {
    var timeline = PublisherTimeline()
    return stamps.map { timeline.time(of: $0.0, for: .media($0.1)) }
  }

  @Test func `times that start at 0 are unchanged`() {
    #expect(times([(0, .audio), (23, .audio), (40, .video), (46, .audio)]) == [0, 23, 40, 46])
  }

  @Test func `times that start elsewhere are shifted to 0`() {
    #expect(times([(5_000_000, .audio), (5_000_023, .video)]) == [0, 23])
  }

  @Test func `time continues when the 32-bit timestamp wraps around`() {
    #expect(times([(0xFFFF_FFF0, .video), (0x10, .video)]) == [0, 32])
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

  @Test func `one track may lag behind the other`() {
    #expect(times([(1000, .audio), (400, .video), (1023, .audio), (440, .video)]) == [1000, 400, 1023, 440])
  }

  @Test func `metadata and data with the time 0 do not move the timeline`() {
    var timeline = PublisherTimeline()
    let kinds: [(UInt32, StreamMessage.Kind)] = [
      (0, .media(.video)), (60_000, .media(.video)), (0, .metadata), (60_040, .media(.video)), (0, .data),
    ]
    #expect(kinds.map { timeline.time(of: $0.0, for: $0.1) } == [0, 60_000, 60_000, 60_040, 60_040])
  }

  @Test func `no track goes back in time`() {
    #expect(times([(0, .video), (80, .video), (40, .video), (120, .video)]) == [0, 80, 80, 120])
  }

  @Test func `a publisher that restarts its clock continues after its last time`() {
    #expect(
      times([(0, .video), (9_000, .video), (60_000, .video), (0, .video), (40, .video)]).suffix(3) == [
        60_000, 60_001, 60_041,
      ])
  }

  @Test func `no time is negative`() {
    #expect(times([(20_000, .audio), (19_000, .video)]) == [0, 0])
  }
}
