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
    #expect(progress(after: 11) == .nothingNew)
    #expect(progress(after: 13) == .stalled)
    #expect(progress(after: 15) == nil)
  }

  @Test mutating func `an answer ends a stall`() {
    health.isWaitingForPeer = true
    #expect(progress(after: 0) == .nothingNew)
    #expect(progress(after: 2) == .stalled)
    health.lastProgress = .at(4000)
    #expect(progress(after: 4) == .recovered)
    #expect(progress(after: 5) == .nothingNew)
    #expect(progress(after: 7) == .stalled)
    #expect(progress(after: 9) == nil)
  }

  @Test mutating func `an answer is progress once media is sent`() {
    health.lastProgress = .at(1000)
    #expect(progress(after: 1) == .nothingNew)
    stalls.mediaSent(at: .at(2000))
    health.lastProgress = .at(3000)
    #expect(progress(after: 3) == .progressed)
  }
}
