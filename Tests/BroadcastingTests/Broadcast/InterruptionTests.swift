import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPublishing
import HoldfastRecording
import Testing

@testable import HoldfastBroadcasting

/// What a broadcast waits for between an interruption and its resumption.
@Suite struct InterruptionTests {
  private static let stopped: [BroadcastMachine.Event] = [.lane(.stopped(.video)), .lane(.stopped(.audio))]
  private static let isAtRest = ["no pause", "pauseWithoutPicture", "outputs pause", "flush"]
  private static let returned: [BroadcastMachine.Event] = [.output("a", .firstAttemptFinished)]
  private static let runs = ["no reconnect", "keyframe", "run"]
  private static let reconnects = ["outputs publish", "reconnect in 400"]

  @Test(arguments: [
    MachineCase(
      "outputs pause only once both tracks have stopped", .onAir(), ([.pause], ["pause in 150", "pause"]),
      ([.lane(.stopped(.video))], []), ([.lane(.stopped(.audio))], isAtRest)),
    MachineCase(
      "a camera that delivers nothing delays a pause only briefly, and the sound still reaches its end",
      .onAir(), ([.pause], ["pause in 150", "…"]),
      ([.pauseTimedOut(isBehind: false)], ["pauseWithoutPicture", "pause in 150"]),
      ([.lane(.stopped(.audio))], isAtRest)),
    MachineCase(
      "sources that deliver nothing delay a pause only briefly", .onAir(),
      ([.pause, .pauseTimedOut(isBehind: false)], nil),
      ([.pauseTimedOut(isBehind: false)], ["pauseWithoutPicture", "outputs pause", "flush"])),
    MachineCase(
      "a pause is answered once the recording is flushed, whatever outputs are still leaving",
      .onAir(outputs: ["a", "b"]), ([.pause] + stopped, nil), ([.changed("a", .closed)], ["report output"]),
      ([.recorder(.flushed)], ["answer paused"])),
    MachineCase(
      "a return waits for no output that is still leaving", .onAir(outputs: ["a", "b"]),
      ([.output("a", .accepted), .changed("a", .publishing)], nil),
      ([.output("b", .accepted), .changed("b", .publishing)], nil),
      ([.pause] + stopped + [.recorder(.flushed), .changed("a", .closed)], nil), ([.resume], reconnects),
      (returned, runs)),
    MachineCase(
      "a pause without outputs or a recording is answered as soon as the tracks stop",
      .onAir(isRecorded: false, tracks: [.audio]),
      ([.pause, .lane(.stopped(.audio))], ["…", "pauseWithoutPicture", "outputs pause", "answer paused"])),
    MachineCase(
      "a resume waits for the earlier outputs", .paused(outputs: ["a"]), ([.resume], reconnects),
      (returned, runs)),
    MachineCase(
      "a resume waits for the earlier outputs only briefly", .paused(outputs: ["a"]),
      ([.resume], reconnects), ([.reconnectTimedOut], ["…", "run"])),
    MachineCase(
      "an output that closes only after the resume does not count as back", .onAir(outputs: ["a"]),
      ([.pause, .pauseTimedOut(isBehind: false), .resume], nil),
      ([.changed("a", .closed)], ["report output"])),
    MachineCase(
      "a pause before the first picture leaves nothing to resume", MachineStory(outputs: ["a"]),
      ([.started, .opened, .request(.goLive), .pause], nil),
      ([.mediaPaused(nil)], ["no pause", "outputs pause", "answer nothingBegun"])),
    MachineCase(
      "a pause with the first picture has something to resume", MachineStory(outputs: ["a"]),
      ([.started, .opened, .request(.goLive), .pause], nil), ([.mediaPaused(MachineStory().start())], [])),
    MachineCase(
      "a broadcast that is not on air has nothing to pause", MachineStory(outputs: ["a"]),
      ([.started, .opened, .pause], ["…", "answer nothingBegun"]), ([.resume], [])),
    MachineCase(
      "a new interruption before the outputs are back pauses them again", .paused(outputs: ["a"]),
      ([.resume], nil), ([.pause], ["no reconnect", "outputs pause", "answer paused"])),
    MachineCase(
      "a resume interrupted before its first picture leaves the gap open", .paused(), ([.resume], nil),
      ([.pause], ["pause"]), ([.mediaPaused(nil)], ["outputs pause", "answer paused"])),
    MachineCase(
      "a picture just before a new interruption ends the old gap, and a new pause begins", .paused(),
      ([.resume, .pause], nil),
      (
        [.mediaPaused(MachineStory().start())],
        ["write resumed", "report gap", "report resumed", "pause in 150"]
      ), ([.begun], [])),
    MachineCase(
      "a late answer to an earlier flush does not complete the next pause", .onAir(),
      ([.pause] + stopped + [.resume, .begun, .pause] + stopped, nil), ([.recorder(.flushed)], []),
      ([.recorder(.flushed)], ["answer paused"])),
    MachineCase(
      "a resume during a pause completes the pause first", .onAir(), ([.pause], nil),
      ([.resume], ["no pause", "pauseWithoutPicture", "outputs publish", "…"])),
  ])
  func `a broadcast pauses and resumes`(machine: MachineCase) { machine.check() }

  @Test func `a resume waits for the next picture, however long it takes`() {
    var story = MachineStory.paused()
    #expect(story.handle(.resume) == Self.reconnects + Self.runs)
    story.now = .seconds(5000)
    #expect(story.handle(.reconnectTimedOut) == [])
    let told = story.handle(.lane(.started(story.start())))
    #expect(told == ["write resumed", "report gap", "report resumed"])
  }

  @Test func `a pause waits longer for an encoder that is behind, but not forever`() {
    var story = MachineStory.onAir()
    story.handle(.pause)
    story.now += .milliseconds(900)
    #expect(story.handle(.pauseTimedOut(isBehind: true)) == ["pause in 5"])
    story.now += .milliseconds(200)
    #expect(story.handle(.pauseTimedOut(isBehind: true)).first == "pauseWithoutPicture")
  }

  @Test func `an interruption's gap is as long as media time stood still`() throws {
    var story = MachineStory.paused()
    story.now = .seconds(130)
    story.handle([.resume, .lane(.started(story.start(lastEnd: .seconds(101))))])
    let gap = try #require(story.gaps.first)
    #expect(gap.cause == .user && gap.lostVideo == .seconds(29) && gap.mediaAt == .seconds(7))
    story.handle([.stop, .finished(mediaTime: .seconds(8))])
    #expect(story.outcome?.report?.interrupted == .seconds(29))
  }

  @Test func `a broadcast left by a crash begins paused, and its gap has missing sound`() throws {
    var open = OpenInterruption(
      since: MonotonicTime(nanoseconds: MediaTime.seconds(60).nanoseconds),
      wallSince: WallTime(nanoseconds: 0), cause: .crash, mediaAt: .seconds(5),
      extraLoss: [.audio: .seconds(1)])
    var story = MachineStory(outputs: ["a"], resumed: BroadcastMachine.Resumed(open, mediaEnd: .seconds(5)))
    #expect(story.handle([.started, .resume]) == ["open"])
    #expect(story.handle(.opened) == ["outputs publish", "reconnect in 400"])
    story.handle([.reconnectTimedOut, .lane(.started(story.start()))])
    let gap = try #require(story.gaps.first)
    #expect(gap.cause == .crash && gap.mediaAt == .seconds(5))
    #expect(gap.lostVideo == .seconds(40) && gap.lostAudio == .seconds(41))
    open = OpenInterruption(since: MonotonicTime(nanoseconds: 0), wallSince: WallTime(nanoseconds: 0))
    story = MachineStory(resumed: BroadcastMachine.Resumed(open, mediaEnd: .zero))
    #expect(story.handle([.started, .opened, .pause]) == ["open", "answer paused"])
  }
}
