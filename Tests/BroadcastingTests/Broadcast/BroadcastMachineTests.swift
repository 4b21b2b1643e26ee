import HoldfastCapture
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPublishing
import HoldfastRecording
import Testing

@testable import HoldfastBroadcasting

/// From the start of a broadcast to its end.
@Suite struct BroadcastMachineTests {
  private static let refused = BroadcastMachine.Event.output("a", .changed(.init(.refused), why: "no"))
  private static let brokenDisk = RecordingError(path: "a.mp4", CancellationError())

  @Test func `everything is opened first`() {
    var story = MachineStory(outputs: ["a"])
    #expect(story.tell(.started) == ["open"])
  }

  @Test func `each output has to be decided before it may go live`() {
    var story = MachineStory(outputs: ["a", "b"])
    #expect(
      story.tell([.started, .opened, .output("a", .decided(isAccepted: true))]).last == "write outputAccepted"
    )
    #expect(story.tell(.output("b", .decided(isAccepted: false))) == ["answer attemptsDecided"])
  }

  @Test func `without outputs it may go live at once`() {
    var story = MachineStory()
    #expect(story.tell([.started, .opened]) == ["open", "answer attemptsDecided"])
  }

  @Test func `whoever has waited for long enough goes live before all outputs are decided`() {
    var story = MachineStory(outputs: ["a"])
    #expect(story.tell([.started, .opened, .request(.goLive)]).suffix(2) == ["write live", "run"])
  }

  @Test func `a recorded broadcast is live once something is on the disk`() {
    var story = MachineStory()
    #expect(story.tell([.started, .opened, .request(.goLive)]).suffix(2) == ["write live", "run"])
    #expect(story.tell(.recorder(.opened(path: "a.mp4"))) == ["report recording", "report live"])
    #expect(story.tell(.recorder(.opened(path: "b.mp4"))) == ["report recording"])
  }

  @Test func `a broadcast without a recording is live when media time begins`() {
    var story = MachineStory(outputs: ["a"], isRecorded: false)
    let actions = story.tell([.started, .opened, .output("a", .decided(isAccepted: true)), .request(.goLive)])
    #expect(actions.suffix(3) == ["write live", "run", "report live"])
  }

  @Test func `a recording that failed before keeps nobody from being live`() {
    var story = MachineStory(outputs: ["a"])
    story.tell([.started, .opened, .recorder(.failed(Self.brokenDisk, bytes: 0)), .request(.goLive)])
    #expect(story.actions.last?.words == "report live")
  }

  @Test func `where nobody takes anything it ends instead of going live`() {
    var story = MachineStory(outputs: ["a"], isRecorded: false)
    #expect(story.tell([.started, .opened, Self.refused]).last == "finish")
    story.tell(.finished(mediaTime: .zero))
    guard case .refused = story.outcome?.failure else { return #expect(Bool(false)) }
    #expect(story.outcome?.report == nil)
  }

  @Test func `a recording goes on without outputs, and outputs without a recording`() {
    var story = MachineStory.onAir(outputs: ["a"])
    #expect(!story.tell(Self.refused).contains("finish"))
    #expect(story.tell(.recorder(.failed(Self.brokenDisk, bytes: 5))).last == "finish")
    var other = MachineStory.onAir(outputs: ["a"])
    #expect(!other.tell(.recorder(.failed(Self.brokenDisk, bytes: 5))).contains("finish"))
  }

  @Test func `whatever is asked while it opens is done once it is open`() {
    var story = MachineStory()
    #expect(story.tell([.started, .request(.stop(.stopped))]) == ["open"])
    #expect(story.tell(.opened) == ["finish"])
  }

  @Test func `a start that fails ends what has been opened`() {
    var story = MachineStory()
    #expect(story.tell([.started, .openingFailed(.system("no thread"))]) == ["open", "finish"])
    #expect(
      story.tell(.finished(mediaTime: .zero)) == [
        "write ended", "report ended", "answer over", "answer ended",
      ])
  }

  @Test func `what ends is written and reported before it is answered`() {
    var story = MachineStory.onAir()
    #expect(story.tell(.request(.stop(.stopped))) == ["finish"])
    #expect(
      story.tell([.recorder(.finished(path: "a.mp4", bytes: 7)), .finished(mediaTime: .seconds(3))]) == [
        "report recording", "write ended", "report ended", "answer over", "answer ended",
      ])
    #expect(story.outcome?.report?.recordedBytes == 7 && story.outcome?.report?.duration == .seconds(3))
  }

  @Test func `the first reason to stop is the one that counts, and a failure counts more`() {
    var story = MachineStory.onAir()
    story.tell([.request(.stop(.windowClosed)), .request(.stop(.stopped)), .finished(mediaTime: .zero)])
    guard case .answer(.over(.windowClosed)) = story.actions.suffix(2).first else {
      return #expect(Bool(false))
    }
    var failing = MachineStory.onAir()
    failing.tell([
      .request(.stop(.stopped)), .lane(.encodingFailed(.video, "gone")), .finished(mediaTime: .zero),
    ])
    guard case .answer(.over(.failed)) = failing.actions.suffix(2).first else { return #expect(Bool(false)) }
  }

  @Test func `what comes while it ends is still named`() {
    var story = MachineStory.onAir()
    let loss = TrackLoss(track: .video, cause: .source, mediaAt: .zero, duration: .seconds(1))
    #expect(
      story.tell([.request(.stop(.stopped)), .lane(.lost(loss))]).suffix(2) == ["write gap", "report gap"])
    story.tell(.finished(mediaTime: .seconds(3)))
    #expect(story.outcome?.report?.gaps.count == 1)
  }

  @Test func `at the asked-for end the other track has two seconds left`() {
    var story = MachineStory.onAir(hasDuration: true)
    let end = BroadcastMachine.Event.lane(.finished(.video, hasReachedEnd: true, selfEnding: []))
    #expect(story.tell(end) == ["drain in 2000"])
    #expect(story.tell(.drainTimedOut) == ["finish"])
    story.tell(.finished(mediaTime: .seconds(3)))
    guard case .answer(.over(.duration)) = story.actions.suffix(2).first else { return #expect(Bool(false)) }
  }

  @Test(arguments: [([.audio], false), ([], true)] as [(Set<TrackKind>, Bool)])
  func `only a track that comes to its own end is waited for`(selfEnding: Set<TrackKind>, isOver: Bool) {
    var story = MachineStory.onAir()
    let end = BroadcastMachine.Event.lane(.finished(.video, hasReachedEnd: false, selfEnding: selfEnding))
    #expect(story.tell(end) == (isOver ? ["finish"] : []))
  }

  @Test func `an acceptance is in the journal before it is reported`() {
    var story = MachineStory(outputs: ["a"])
    story.tell([.started, .opened])
    #expect(
      story.tell(.output("a", .changed(.init(.publishing), why: nil))) == [
        "write outputAccepted", "report output",
      ])
  }

  @Test func `an interruption is in the journal before it is reported`() {
    var story = MachineStory.onAir()
    #expect(
      story.tell(.request(.reportInterrupted(.user, until: WallTime(nanoseconds: 0)))) == [
        "write interrupted", "report interrupted",
      ])
  }

  @Test func `the slowest network sets the bitrate as long as it publishes`() {
    var story = MachineStory.onAir(outputs: ["a", "b"])
    #expect(story.tell(.output("a", .bitrateRequested(500_000, why: "slow"))) == ["bitrate 500000"])
    #expect(story.tell(.output("b", .bitrateRequested(900_000, why: "slow"))) == [])
    #expect(story.tell(.output("a", .changed(.init(.waiting), why: nil))).first == "bitrate 900000")
  }
}
