import HoldfastMediaModel
import HoldfastRecording
import Testing

/// Gaps whose events a killed process may not have reported.
@Suite struct UnreportedTests {
  private func gap(_ id: Int) -> Gap { Gap(.network, id: id, output: "a", wall: 1...2, at: 4, video: 1) }

  @Test func `gaps of the last two seconds may not have been reported`() throws {
    let found = try JournalSample.unfinished([
      (5, .gap(gap(1))), (8.1, .gap(gap(2))), (9, .gap(gap(3))), (10, .checkpoint(.seconds(9))),
    ])
    #expect((found.unreportedGaps.map(\.id), found.unreportedInterruption) == ([2, 3], nil))
  }

  @Test(arguments: [(7.9, false), (8.1, true)])
  func `so may an interruption that was over in the last two seconds`(end: Double, isRecent: Bool) throws {
    let found = try JournalSample.unfinished([
      (4, .interrupted("user", at: 3)), (end, .resumed(mediaAt: .seconds(3), gap: 7)),
      (10, .checkpoint(.seconds(5))),
    ])
    #expect(found.unreportedInterruption?.gapID == (isRecent ? 7 : nil))
  }

  @Test func `an interruption that goes on has no gap to report`() throws {
    let found = try JournalSample.unfinished([(4, .interrupted("user", at: 3))])
    #expect(found.unreportedInterruption == nil)
  }

  @Test func `a start that was killed, too, reports again what the one before it may not have`() throws {
    // The end of the recording is earlier than the last entries.
    let found = try JournalSample.unfinished([
      (9, .gap(gap(1))), (10, .checkpoint(.seconds(9))), (8.9, .interrupted("crash", at: 8)),
    ])
    #expect(found.unreportedGaps.map(\.id) == [1])
  }
}
