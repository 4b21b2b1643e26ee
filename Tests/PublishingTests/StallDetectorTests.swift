import HoldfastMediaModel
import Testing

@testable import HoldfastPublishing

/// When an output considers a connection dead.
@Suite struct StallDetectorTests {
  private var stalls = StallDetector(since: .at(0))
  private var health = SinkHealth(lastProgress: .at(0))

  /// Nil for a server that counts as dead.
  private mutating func progress(after seconds: Int64) -> StallDetector.Progress? {
    try? stalls.check(health, at: .at(seconds * 1000), limit: .seconds(3))
  }

  @Test mutating func `silence counts as a stall only once an answer is due`() {
    #expect(progress(after: 10) == .nothingNew)
    health.isWaitingForPeer = true
    #expect([11, 13, 15].map { progress(after: $0) } == [.nothingNew, .stalled, nil])
  }

  @Test mutating func `an answer ends a stall`() {
    health.isWaitingForPeer = true
    #expect([0, 2].map { progress(after: $0) } == [.nothingNew, .stalled])
    health.lastProgress = .at(4000)
    #expect([4, 5, 7, 9].map { progress(after: $0) } == [.recovered, .nothingNew, .stalled, nil])
  }

  @Test mutating func `an answer is progress once media is sent`() {
    health.lastProgress = .at(1000)
    #expect(progress(after: 1) == .nothingNew)
    stalls.mediaSent(at: .at(2000))
    health.lastProgress = .at(3000)
    #expect(progress(after: 3) == .progressed)
  }
}
