import HoldfastMediaModel
import HoldfastRecording
import Testing

@testable import HoldfastBroadcasting

@Suite struct JournalFilterTests {
  private var live: JournalFilter {
    var filter = JournalFilter()
    _ = filter.admit(.live(.record), at: .zero)
    return filter
  }

  @Test func `an output's acceptance is journaled once`() {
    var filter = JournalFilter()
    #expect(filter.admit(.outputAccepted("a"), at: .zero) == [.outputAccepted("a")])
    #expect(filter.admit(.outputAccepted("a"), at: .zero) == [])
  }

  @Test func `an interruption before going live is not journaled`() {
    var filter = JournalFilter()
    let interrupted = JournalEntry.interrupted(cause: "user", mediaAt: .zero, resumableUntil: nil)
    #expect(filter.admit(interrupted, at: .zero) + filter.admit(.backgrounded, at: .zero) == [])
    var live = live
    #expect(live.admit(interrupted, at: .zero) == [interrupted])
  }

  @Test func `media time is journaled once a second, and right after a resume`() {
    var filter = live
    let kept = [0, 250, 999, 1000, 1250].filter {
      !filter.admit(.checkpoint(.zero), at: .milliseconds($0)).isEmpty
    }
    #expect(kept == [0, 1000])
    _ = filter.admit(.resumed(mediaAt: .zero), at: .milliseconds(1300))
    #expect(filter.admit(.checkpoint(.zero), at: .milliseconds(1300)).count == 1)
  }

  @Test func `where an output is behind is journaled as soon as it changes`() {
    var filter = live
    func isWritten(_ milliseconds: Int64, behind: [String: [TrackKind: MediaTime]] = [:]) -> Bool {
      !filter.admit(.checkpoint(.zero, behind: behind), at: .milliseconds(milliseconds)).isEmpty
    }
    let first = ["a": [TrackKind.video: MediaTime.seconds(1)]]
    let next = ["a": [TrackKind.video: MediaTime.seconds(2)]]
    #expect(isWritten(0) && !isWritten(250) && isWritten(500, behind: first))
    #expect(!isWritten(750, behind: first) && isWritten(1000, behind: next))
    #expect(isWritten(2000, behind: next) && isWritten(2250) && !isWritten(3000))
  }

  @Test func `nothing is journaled after the end but that it has been reported, once`() {
    var filter = live
    let end = JournalEntry.ended(.init(reason: "stopped"))
    let admitted = [.reported, end, end, .muted([]), .reported, .reported].map { filter.admit($0, at: .zero) }
    #expect(admitted == [[], [end], [], [], [.reported], []])
  }
}
