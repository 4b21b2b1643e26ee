import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPublishing
import HoldfastRecording
import Testing

@testable import HoldfastBroadcasting

private let resume = BroadcastMachine.Event.request(.resume(after: .user))

/// What a broadcast waits for between an interruption and the return.
@Suite struct InterruptionTests {
  @Test func `both tracks have to have come to the point of interruption`() {
    var story = MachineStory.onAir()
    #expect(story.handle(.request(.pause)) == ["pause in 150", "pause"])
    #expect(story.handle(.lane(.stopped(.video))) == [])
    #expect(
      story.handle(.lane(.stopped(.audio))) == ["no pause", "pauseWithoutPicture", "outputs pause", "flush"])
  }

  @Test func `a source that gives nothing is waited for shortly`() {
    var story = MachineStory.onAir()
    #expect(story.handle(.request(.pause)).first == "pause in 150")
    #expect(
      story.handle(.pauseTimedOut(isBehind: false)) == ["pauseWithoutPicture", "outputs pause", "flush"])
  }

  @Test func `all outputs have to have left, and the recording to be on the disk`() {
    var story = MachineStory.onAir(outputs: ["a", "b"])
    story.handle([.request(.pause), .pauseTimedOut(isBehind: false)])
    #expect(story.handle([Self.closed("a"), .recorder(.paused)]) == ["report output"])
    #expect(story.handle(Self.closed("b")) == ["report output", "answer paused"])
  }

  @Test func `a picture to go on with is waited for, however long that takes`() {
    var story = MachineStory.paused()
    #expect(
      story.handle(resume) == ["outputs resume", "reconnect in 400", "no reconnect", "keyframe", "run"])
    story.now = .seconds(5000)
    #expect(story.handle(.reconnectTimedOut) == [])
    #expect(
      story.handle(.lane(.started(story.start()))) == ["write resumed", "report gap", "report resumed"])
  }

  @Test func `an encoder that is behind is waited for longer, but not for ever`() {
    var story = MachineStory.onAir()
    story.handle(.request(.pause))
    story.now = story.now + .milliseconds(900)
    #expect(story.handle(.pauseTimedOut(isBehind: true)) == ["pause in 5"])
    story.now = story.now + .milliseconds(200)
    #expect(story.handle(.pauseTimedOut(isBehind: true)).first == "pauseWithoutPicture")
  }

  @Test func `without outputs and without a recording nothing is waited for`() {
    var story = MachineStory.onAir(isRecorded: false, tracks: [.audio])
    #expect(
      story.handle([.request(.pause), .lane(.stopped(.audio))]).suffix(3) == [
        "pauseWithoutPicture", "outputs pause", "answer paused",
      ])
  }

  @Test func `the return waits for the outputs that had been there, but not for long`() {
    var story = MachineStory.paused(outputs: ["a"])
    #expect(story.handle(resume) == ["outputs resume", "reconnect in 400"])
    var other = story
    let isBack = story.handle(.output("a", .decided(isAccepted: true)))
    #expect(isBack == ["write outputAccepted", "no reconnect", "keyframe", "run"])
    #expect(other.handle(.reconnectTimedOut).last == "run")
  }

  @Test func `an output that leaves late, after the return, is not taken for one that is back`() {
    var story = MachineStory.onAir(outputs: ["a"])
    story.handle([.request(.pause), .pauseTimedOut(isBehind: false), resume])
    #expect(story.handle(Self.closed("a")) == ["report output"])
  }

  @Test func `a broadcast that is not on air has nothing to pause`() {
    var story = MachineStory(outputs: ["a"])
    #expect(story.handle([.started, .opened, .request(.pause)]).last == "answer paused")
    #expect(story.handle(resume) == [])
  }

  @Test func `another interruption before the outputs are back sends them away again`() {
    var story = MachineStory.paused(outputs: ["a"])
    story.handle(resume)
    #expect(story.handle(.request(.pause)) == ["no reconnect", "outputs pause", "answer paused"])
  }

  @Test func `a return that is taken back before a picture came stays one gap`() {
    var story = MachineStory.paused()
    story.handle(resume)
    #expect(story.handle(.request(.pause)) == ["pause"])
    #expect(story.handle(.mediaPaused(nil)) == ["outputs pause", "answer paused"])
    #expect(story.gaps.isEmpty)
  }

  @Test func `a return that a picture was quicker than is one gap, and another interruption begins`() {
    var story = MachineStory.paused()
    story.handle([resume, .request(.pause)])
    #expect(
      story.handle(.mediaPaused(story.start())) == [
        "write resumed", "report gap", "report resumed", "pause in 150",
      ])
    #expect(story.handle(.lane(.started(story.start()))) == [])
  }

  @Test func `a flush that is answered late is not taken for the next one`() {
    var story = MachineStory.onAir()
    story.handle([
      .request(.pause), .pauseTimedOut(isBehind: false), resume,
      .lane(.started(story.start())), .request(.pause), .pauseTimedOut(isBehind: false),
    ])
    #expect(story.handle(.recorder(.paused)) == [])
    #expect(story.handle(.recorder(.paused)) == ["answer paused"])
  }

  @Test func `a resume that comes before everything is held holds it first`() {
    var story = MachineStory.onAir()
    story.handle(.request(.pause))
    #expect(story.handle(resume).prefix(3) == ["no pause", "pauseWithoutPicture", "outputs resume"])
  }

  @Test func `an interruption costs what media time stood still`() throws {
    var story = MachineStory.paused()
    story.now = .seconds(130)
    story.handle([resume, .lane(.started(story.start(lastEnd: .seconds(101))))])
    let gap = try #require(story.gaps.first)
    #expect(gap.cause == .user && gap.lostVideo == .seconds(29) && gap.mediaAt == .seconds(7))
    story.handle([.request(.stop(.stopped)), .finished(mediaTime: .seconds(8))])
    #expect(story.outcome?.report?.interrupted == .seconds(29))
  }

  @Test func `a broadcast that a crash has left begins paused, and costs what its tracks lack besides`()
    throws
  {
    let open = OpenInterruption(
      since: MonotonicTime(nanoseconds: MediaTime.seconds(60).nanoseconds),
      wallSince: WallTime(nanoseconds: 0), cause: .crash, mediaAt: .seconds(5), lacking: [.audio: .seconds(1)]
    )
    var story = MachineStory(outputs: ["a"], resumed: BroadcastMachine.Resumed(open, mediaEnd: .seconds(5)))
    #expect(story.handle([.started, resume]) == ["open"])
    #expect(story.handle(.opened) == ["outputs resume", "reconnect in 400"])
    story.handle([.reconnectTimedOut, .lane(.started(story.start()))])
    let gap = try #require(story.gaps.first)
    #expect(gap.cause == .crash && gap.mediaAt == .seconds(5))
    #expect(gap.lostVideo == .seconds(40) && gap.lostAudio == .seconds(41))
  }

  @Test func `a broadcast that a crash has left can be paused, and resumes no earlier than it is asked to`() {
    let open = OpenInterruption(since: MonotonicTime(nanoseconds: 0), wallSince: WallTime(nanoseconds: 0))
    var story = MachineStory(resumed: BroadcastMachine.Resumed(open, mediaEnd: .zero))
    #expect(story.handle([.started, .opened, .request(.pause)]) == ["open", "answer paused"])
  }

  private static func closed(_ output: String) -> BroadcastMachine.Event {
    .output(output, .changed(.init(.closed), reason: nil))
  }
}
