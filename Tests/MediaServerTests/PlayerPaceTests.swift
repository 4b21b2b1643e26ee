import Testing

@testable import HoldfastMediaServer

@Suite struct PlayerPaceTests {
  private let key = TestMessages.picture(isKey: true)
  private let other = TestMessages.picture(isKey: false)

  private func decisions(_ steps: [(StreamMessage, backlog: Int)], hasVideo: Bool = true) -> [Bool] {
    var pace = PlayerPace(capacity: 100)
    return steps.map { pace.admits($0.0, hasVideo: hasVideo, backlog: $0.backlog) }
  }

  @Test func `a player starts with a keyframe`() {
    #expect(
      decisions([(other, 0), (TestMessages.sound(), 0), (key, 0), (other, 0)]) == [false, false, true, true])
  }

  @Test func `a player of a stream without video starts with the first sound`() {
    let steps = [(TestMessages.audioHeaders, backlog: 0), (TestMessages.sound(), backlog: 0)]
    #expect(decisions(steps, hasVideo: false) == [false, true])
  }

  @Test func `a player with a full backlog waits until a keyframe finds it half empty`() {
    let steps: [(StreamMessage, backlog: Int)] = [
      (key, 0), (other, 101), (other, 10), (key, 80), (other, 40), (key, 50), (other, 90),
    ]
    #expect(decisions(steps) == [true, false, false, false, false, true, true])
  }

  @Test func `messages skipped after a player's first keyframe are counted`() {
    var pace = PlayerPace(capacity: 100)
    _ = pace.admits(other, hasVideo: true, backlog: 0)
    _ = pace.admits(key, hasVideo: true, backlog: 0)
    #expect(pace.takeSkipped() == 0)
    for _ in 0..<3 { _ = pace.admits(other, hasVideo: true, backlog: 200) }
    _ = pace.admits(key, hasVideo: true, backlog: 0)
    #expect([pace.takeSkipped(), pace.takeSkipped()] == [3, 0])
  }
}
