import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPublishing
import HoldfastRecording
import Testing

@testable import HoldfastBroadcasting

private let resume = BroadcastMachine.Event.request(.resume(after: .user))

/// What a broadcast waits for between an interruption and its resumption.
@Suite struct InterruptionTests {
  @Test func `outputs pause only once both tracks have stopped`() {
    var story = MachineStory.onAir()
    #expect(story.handle(.request(.pause)) == ["pause in 150", "pause"])
    #expect(story.handle(.lane(.stopped(.video))) == [])
    #expect(
      story.handle(.lane(.stopped(.audio))) == ["no pause", "pauseWithoutPicture", "outputs pause", "flush"])
  }

  @Test
  func `a camera that delivers nothing delays a pause only briefly, and the sound still reaches its end`() {
    var story = MachineStory.onAir()
    #expect(story.handle(.request(.pause)).first == "pause in 150")
    #expect(story.handle(.pauseTimedOut(isBehind: false)) == ["pauseWithoutPicture", "pause in 150"])
    #expect(
      story.handle(.lane(.stopped(.audio))) == ["no pause", "pauseWithoutPicture", "outputs pause", "flush"])
  }

  @Test func `sources that deliver nothing delay a pause only briefly`() {
    var story = MachineStory.onAir()
    story.handle([.request(.pause), .pauseTimedOut(isBehind: false)])
    #expect(
      story.handle(.pauseTimedOut(isBehind: false)) == ["pauseWithoutPicture", "outputs pause", "flush"])
  }

  @Test func `a pause is answered once the recording is flushed, whatever outputs are still leaving`() {
    var story = MachineStory.onAir(outputs: ["a", "b"])
    story.handle([.request(.pause), .lane(.stopped(.video)), .lane(.stopped(.audio))])
    #expect(story.handle(Self.closed("a")) == ["report output"])
    #expect(story.handle(.recorder(.flushed)) == ["answer paused"])
  }

  @Test func `a return waits for no output that is still leaving`() {
    var story = MachineStory.onAir(outputs: ["a", "b"])
    for id in ["a", "b"] {
      story.handle([.output(id, .accepted), .output(id, .changed(.init(.publishing), reason: nil))])
    }
    story.handle([
      .request(.pause), .lane(.stopped(.video)), .lane(.stopped(.audio)), .recorder(.flushed),
      Self.closed("a"),
    ])
    #expect(story.handle(resume) == ["outputs publish", "reconnect in 400"])
    #expect(story.handle(.output("a", .firstAttemptFinished)) == ["no reconnect", "keyframe", "run"])
  }

  @Test func `a resume waits for the next picture, however long it takes`() {
    var story = MachineStory.paused()
    #expect(
      story.handle(resume) == ["outputs publish", "reconnect in 400", "no reconnect", "keyframe", "run"])
    story.now = .seconds(5000)
    #expect(story.handle(.reconnectTimedOut) == [])
    #expect(
      story.handle(.lane(.started(story.start()))) == ["write resumed", "report gap", "report resumed"])
  }

  @Test func `a pause waits longer for an encoder that is behind, but not forever`() {
    var story = MachineStory.onAir()
    story.handle(.request(.pause))
    story.now = story.now + .milliseconds(900)
    #expect(story.handle(.pauseTimedOut(isBehind: true)) == ["pause in 5"])
    story.now = story.now + .milliseconds(200)
    #expect(story.handle(.pauseTimedOut(isBehind: true)).first == "pauseWithoutPicture")
  }

  @Test func `a pause without outputs or a recording is answered as soon as the tracks stop`() {
    var story = MachineStory.onAir(isRecorded: false, tracks: [.audio])
    #expect(
      story.handle([.request(.pause), .lane(.stopped(.audio))]).suffix(3) == [
        "pauseWithoutPicture", "outputs pause", "answer paused",
      ])
  }

  @Test func `a resume waits for the earlier outputs, but only briefly`() {
    var story = MachineStory.paused(outputs: ["a"])
    #expect(story.handle(resume) == ["outputs publish", "reconnect in 400"])
    var other = story
    let isBack = story.handle(.output("a", .firstAttemptFinished))
    #expect(isBack == ["no reconnect", "keyframe", "run"])
    #expect(other.handle(.reconnectTimedOut).last == "run")
  }

  @Test func `an output that closes only after the resume does not count as back`() {
    var story = MachineStory.onAir(outputs: ["a"])
    story.handle([.request(.pause), .pauseTimedOut(isBehind: false), resume])
    #expect(story.handle(Self.closed("a")) == ["report output"])
  }

  @Test(arguments: [true, false])
  func `a pause before the first picture leaves nothing to resume`(hasBegun: Bool) {
    var story = MachineStory(outputs: ["a"], isRecorded: true)
    story.handle([.started, .opened, .request(.goLive), .request(.pause)])
    let answer = story.handle(.mediaPaused(hasBegun ? story.start() : nil))
    #expect(answer == (hasBegun ? [] : ["no pause", "outputs pause", "answer nothingBegun"]))
  }

  @Test func `a broadcast that is not on air has nothing to pause`() {
    var story = MachineStory(outputs: ["a"])
    #expect(story.handle([.started, .opened, .request(.pause)]).last == "answer nothingBegun")
    #expect(story.handle(resume) == [])
  }

  @Test func `a new interruption before the outputs are back pauses them again`() {
    var story = MachineStory.paused(outputs: ["a"])
    story.handle(resume)
    #expect(story.handle(.request(.pause)) == ["no reconnect", "outputs pause", "answer paused"])
  }

  @Test func `a resume interrupted before its first picture leaves the gap open`() {
    var story = MachineStory.paused()
    story.handle(resume)
    #expect(story.handle(.request(.pause)) == ["pause"])
    #expect(story.handle(.mediaPaused(nil)) == ["outputs pause", "answer paused"])
    #expect(story.gaps.isEmpty)
  }

  @Test func `a picture just before a new interruption ends the old gap, and a new pause begins`() {
    var story = MachineStory.paused()
    story.handle([resume, .request(.pause)])
    #expect(
      story.handle(.mediaPaused(story.start())) == [
        "write resumed", "report gap", "report resumed", "pause in 150",
      ])
    #expect(story.handle(.lane(.started(story.start()))) == [])
  }

  @Test func `a late answer to an earlier flush does not complete the next pause`() {
    var story = MachineStory.onAir()
    story.handle([
      .request(.pause), .lane(.stopped(.video)), .lane(.stopped(.audio)), resume,
      .lane(.started(story.start())), .request(.pause), .lane(.stopped(.video)), .lane(.stopped(.audio)),
    ])
    #expect(story.handle(.recorder(.flushed)) == [])
    #expect(story.handle(.recorder(.flushed)) == ["answer paused"])
  }

  @Test func `a resume during a pause completes the pause first`() {
    var story = MachineStory.onAir()
    story.handle(.request(.pause))
    #expect(story.handle(resume).prefix(3) == ["no pause", "pauseWithoutPicture", "outputs publish"])
  }

  @Test func `an interruption's gap is as long as media time stood still`() throws {
    var story = MachineStory.paused()
    story.now = .seconds(130)
    story.handle([resume, .lane(.started(story.start(lastEnd: .seconds(101))))])
    let gap = try #require(story.gaps.first)
    #expect(gap.cause == .user && gap.lostVideo == .seconds(29) && gap.mediaAt == .seconds(7))
    story.handle([.request(.stop(.stopped)), .finished(mediaTime: .seconds(8))])
    #expect(story.outcome?.report?.interrupted == .seconds(29))
  }

  @Test func `a broadcast left by a crash begins paused, and its gap includes missing sound`() throws {
    let open = OpenInterruption(
      since: MonotonicTime(nanoseconds: MediaTime.seconds(60).nanoseconds),
      wallSince: WallTime(nanoseconds: 0), cause: .crash, mediaAt: .seconds(5),
      extraLoss: [.audio: .seconds(1)])
    var story = MachineStory(outputs: ["a"], resumed: BroadcastMachine.Resumed(open, mediaEnd: .seconds(5)))
    #expect(story.handle([.started, resume]) == ["open"])
    #expect(story.handle(.opened) == ["outputs publish", "reconnect in 400"])
    story.handle([.reconnectTimedOut, .lane(.started(story.start()))])
    let gap = try #require(story.gaps.first)
    #expect(gap.cause == .crash && gap.mediaAt == .seconds(5))
    #expect(gap.lostVideo == .seconds(40) && gap.lostAudio == .seconds(41))
  }

  @Test func `a broadcast left by a crash can be paused and does not resume on its own`() {
    let open = OpenInterruption(since: MonotonicTime(nanoseconds: 0), wallSince: WallTime(nanoseconds: 0))
    var story = MachineStory(resumed: BroadcastMachine.Resumed(open, mediaEnd: .zero))
    #expect(story.handle([.started, .opened, .request(.pause)]) == ["open", "answer paused"])
  }

  private static func closed(_ output: String) -> BroadcastMachine.Event {
    .output(output, .changed(.init(.closed), reason: nil))
  }
}
