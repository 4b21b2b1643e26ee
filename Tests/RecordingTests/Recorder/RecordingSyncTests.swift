import HoldfastMediaModel
import HoldfastPlatform
import Testing

@testable import HoldfastRecording

/// What the machine knows to be on the disk, and does when a sync fails or another disk is there.
@Suite struct RecordingSyncTests {
  private var story = RecordingStory.begun()

  @Test mutating func `after a failed sync the file is finished, and a part continues the recording`() {
    #expect(story.fire(.sync, after: .seconds(1)) == [.synchronize(1)])
    story.handle(.synchronized(2, syncFailure))
    #expect(story.reports.last != .disk(.failed(code: 5)), "another number is not awaited")
    story.now = story.now + .milliseconds(500)
    story.handle(.synchronized(1, syncFailure))
    #expect(story.reports.last == .disk(.failed(code: 5)))
    let packet = picture(1, isKeyframe: true)
    story.offer(packet)
    #expect(story.fire(.retry, after: .seconds(1)) == [.measure])
    #expect(story.handle(.room(hasFile: true)) == [.close(path: "a.mp4")])
    #expect(story.handle(.closed(bytes: 100)) == [open(.part(of: "a.mp4"), at: packet.decodeTime)])
    story.handle(.opened(path: "a-2.mp4"), .written(bytes: 10))
    let reason = "fdatasync: Input/output error; up to 0:00:00.033 at its end may not be on the disk"
    #expect(
      story.reports.dropFirst() == [
        .disk(.failed(code: 5)), .finished(path: "a.mp4", bytes: 100),
        .continuedElsewhere(path: "a-2.mp4", reason: reason), .disk(.writing), .opened(path: "a-2.mp4"),
      ])
    #expect(story.fire(.sync, after: .seconds(1)) == [.synchronize(2)], "the part is synced as usual")
  }

  @Test func `a file whose sync failed at a pause or on a disk that fails anyway is not continued, either`() {
    var paused = RecordingStory.begun()
    paused.handle(.flushRequested, .operationFailed(syncFailure))
    #expect(paused.reports.last == .flushed)
    paused.offer(picture(1, isKeyframe: true))
    #expect(paused.retry(hasFile: true) == [.close(path: "a.mp4")])

    var failing = RecordingStory.begun()
    failing.handle(.timerFired(.sync))
    failing.fail(picture(1), 5)
    failing.handle(.synchronized(1, syncFailure))
    #expect(failing.retry(hasFile: true) == [.close(path: "a.mp4")])
    // A part that can't be made is tried again.
    failing.handle(.operationFailed(failure(5)))
    let part = open(.part(of: "a.mp4"), at: picture(1).decodeTime)
    failing.handle(.operationFailed(failure(5)))
    #expect(failing.retry(after: .seconds(9), hasFile: false) == [part])
  }

  @Test
  mutating func
    `a disk that was pulled out and put back has what was synced, and the file goes on from there`()
  {
    story = .unsynced()
    story.offer(picture(2))
    #expect(story.retry(hasFile: false) == [open(.continuing("a.mp4"), at: picture(2).decodeTime)])
    let ends = [TrackKind.video: picture(1).decodeTime]
    #expect(story.handle(.opened(path: "a.mp4", ends: ends)) == [.lose(picture(2), needsKeyframe: true)])
    let next = picture(3, isKeyframe: true)
    #expect(story.offer(next) == [.write(next, isLate: false)])
    story.handle(.written(bytes: 300))
    #expect(
      story.reports.dropFirst() == [
        .disk(.failed(code: 5)), .lost(lossOfUnsynced), .disk(.writing), .opened(path: "a.mp4"),
      ])
  }

  @Test mutating func `what was not synced is lost with a disk that does not return`() {
    story = .unsynced()
    story.handle(.finishRequested)
    #expect(story.handle(.drained) == [.close(path: "a.mp4")])
    story.handle(.operationFailed(failure(5)))
    #expect(story.reports.suffix(2) == [.lost(lossOfUnsynced), .failed(failure(5), bytes: 200)])
  }

  @Test
  mutating func `what was not synced is lost, too, where the disk's absence is noticed before a sync fails`()
  {
    story.handle(.flushRequested, .flushed)
    story.write(picture(1), bytes: 200)
    story.handle(
      .timerFired(.check), .operationFailed(failure(2)), .finishRequested, .drained,
      .operationFailed(failure(5)))
    #expect(story.reports.suffix(2) == [.lost(lossOfUnsynced), .failed(failure(5), bytes: 200)])
  }

  @Test
  mutating func `what was not synced of a file that can't be finished is lost once a part takes its place`() {
    story = .unsynced()
    story.offer(picture(2))
    #expect(story.retry(hasFile: true) == [.close(path: "a.mp4")])
    #expect(
      story.handle(.operationFailed(failure(5))) == [open(.part(of: "a.mp4"), at: picture(2).decodeTime)])
    #expect(story.reports.suffix(2) == [.lost(lossOfUnsynced), .unfinished(failure(5))])
    story.handle(.operationFailed(failure(5)), .finishRequested, .operationFailed(failure(5)), .drained)
    #expect(story.reports.count { $0 == .lost(lossOfUnsynced) } == 1)
  }

  @Test mutating func `a disk that is back and can't be read yet is tried again`() {
    story = .unsynced()
    story.offer(picture(2))
    let reopening = [open(.continuing("a.mp4"), at: picture(2).decodeTime)]
    #expect(story.retry(hasFile: false) == reopening)
    story.handle(.operationFailed(failure(30)))
    #expect(story.retry(after: .seconds(9), hasFile: false) == reopening)
  }

  @Test mutating func `a picture that waits for a keyframe still does after the file was opened once more`() {
    story = .unsynced()
    func reopen(_ ends: [TrackKind: MediaTime]) -> [RecordingMachine.Action] {
      story.retry(after: .seconds(9), hasFile: false)
      return story.handle(.opened(path: "a.mp4", ends: ends))
    }
    story.offer(picture(2))
    #expect(reopen([.video: picture(1).decodeTime]) == [.lose(picture(2), needsKeyframe: true)])
    story.write(sound(at: picture(2).decodeTime), bytes: 250)
    story.handle(.timerFired(.check), .operationFailed(failure(2)))
    story.offer(picture(3))
    let ends = [TrackKind.video: picture(1).decodeTime, .audio: picture(3).decodeTime]
    #expect(reopen(ends) == [.lose(picture(3), needsKeyframe: true)])
  }

  @Test mutating func `a recording whose last sync failed has failed, though it can be finished`() {
    story = .unsynced()
    story.handle(.finishRequested, .drained, .closed(bytes: 210))
    #expect(
      story.reports.suffix(2) == [.finished(path: "a.mp4", bytes: 210), .failed(syncFailure, bytes: 200)])
    #expect(story.machine.isFinished)
  }

  @Test mutating func `the sync of a file that has been opened again since says nothing about it`() {
    story.handle(.timerFired(.sync))
    story.fail(picture(1), 5)
    story.retry(hasFile: false)
    story.handle(.opened(path: "a.mp4", ends: [.video: picture(1).decodeTime]), .written(bytes: 200))
    #expect(story.handle(.synchronized(1, syncFailure)) == [.setTimer(.sync, after: .zero)])
    story.handle(.timerFired(.check))
    #expect(story.reports.last == .opened(path: "a.mp4"))
  }

  @Test mutating func `the failed sync of an earlier file leaves the current one as it is`() {
    story = .begun { $0.segment = .duration(.seconds(1)) }
    story.handle(.timerFired(.sync))
    story.offer(picture(30, isKeyframe: true))
    story.handle(.opened(path: "b.mp4"), .written(bytes: 10), .synchronized(1, syncFailure))
    #expect(story.reports.last == .disk(.failed(code: 5)))
    story.offer(picture(31))
    #expect(story.retry(hasFile: true).first?.isWrite ?? false)
  }

  @Test(arguments: [false, true])
  mutating func `a sync that fails while the recording is being closed fails it`(isClosedFirst: Bool) {
    story.handle(.timerFired(.sync), .drained)
    if isClosedFirst { story.handle(.closed(bytes: 80)) }
    #expect(!story.machine.isFinished)
    story.handle(.synchronized(1, syncFailure))
    if !isClosedFirst { story.handle(.closed(bytes: 80)) }
    #expect(story.reports.last == .failed(syncFailure, bytes: 100))
    #expect(story.machine.isFinished)
  }

  @Test mutating func `syncs begin at the interval that is set, and a slow one is followed at once`() {
    story = .begun { $0.syncEvery = .milliseconds(250) }
    #expect(story.fire(.sync, after: .milliseconds(250)) == [.synchronize(1)])
    story.now = story.now + .milliseconds(100)
    #expect(story.handle(.synchronized(1, nil)) == [.setTimer(.sync, after: .milliseconds(150))])
    #expect(story.fire(.sync, after: .milliseconds(150)) == [.synchronize(2)])
    story.now = story.now + .milliseconds(900)
    #expect(story.handle(.synchronized(2, nil)) == [.setTimer(.sync, after: .zero)])
    story.handle(.drained, .closed(bytes: 9))
    #expect(story.fire(.sync, after: .zero) == [.setTimer(.sync, after: .milliseconds(250))])
  }
}
