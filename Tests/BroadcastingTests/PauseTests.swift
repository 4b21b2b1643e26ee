import HoldfastMediaModel
import Testing

@testable import HoldfastBroadcasting

/// What is waited for between an interruption and the return.
@Suite struct PauseTests {
  private let start = MonotonicTime(nanoseconds: 0)

  private func pause(_ tracks: Set<TrackKind> = [.video, .audio]) -> Pause {
    Pause(tracks, at: start, wall: WallTime(nanoseconds: 0))
  }

  @Test func `both tracks have to have come to the point of interruption`() {
    var pause = pause()
    pause.hold(.video)
    #expect(!pause.isHeld)
    pause.hold(.audio)
    #expect(pause.isHeld)
  }

  @Test func `a source that gives nothing is waited for shortly`() throws {
    let deadline = try #require(pause().deadline)
    #expect(deadline > start && deadline <= start + .milliseconds(200))
  }

  @Test func `all outputs have to have left, and the recording to be on the disk`() {
    var pause = pause()
    pause.leave(["a", "b"], hasRecording: true)
    pause.left("a")
    pause.isRecordingDone = true
    #expect(!pause.hasLeft)
    pause.left("b")
    #expect(pause.hasLeft)
  }

  @Test func `a picture to go on with is waited for, however long that takes`() {
    var pause = pause()
    pause.begin(after: .user)
    #expect(pause.step == .beginning(.user) && pause.deadline == nil)
  }

  @Test func `an encoder that is behind is waited for longer, but not for ever`() {
    var pause = pause()
    let isWaiting = pause.holdOn(start + .milliseconds(900))
    let isTooLate = !pause.holdOn(start + .milliseconds(1100))
    #expect(isWaiting && isTooLate)
  }

  @Test func `without outputs and without a recording nothing is waited for`() {
    var pause = pause([.audio])
    pause.leave([], hasRecording: false)
    #expect(pause.hasLeft && pause.deadline == nil)
  }

  @Test func `the return waits for the outputs that had been there, but not for long`() throws {
    var pause = pause()
    pause.leave(["a"], hasRecording: false)
    pause.left("a")
    pause.rest()
    pause.comeBack(["a"], after: .user, at: start + .seconds(60))
    #expect(!pause.isBack)
    let deadline = try #require(pause.deadline)
    #expect(deadline <= start + .seconds(60) + .milliseconds(500))
    pause.decided("a")
    #expect(pause.isBack)
  }

  @Test func `an output that leaves late, after the return, is not taken for one that is back`() {
    var pause = pause()
    pause.leave(["a"], hasRecording: false)
    pause.comeBack(["a"], after: .user, at: start)
    pause.left("a")
    #expect(!pause.isBack)
  }
}
