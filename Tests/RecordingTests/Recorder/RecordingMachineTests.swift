import HoldfastMediaModel
import HoldfastPlatform
import Testing

@testable import HoldfastRecording

@Suite struct RecordingMachineTests {
  private var story = RecordingStory.begun()
  private let full = DiskState.full(free: nil, required: 1 << 20)

  @Test mutating func `a file is opened only after all tracks and a packet have come`() {
    story = RecordingStory()
    #expect(story.handle(.track(SampleRecording.video), .packet(picture(0), standstill: .zero)) == [])
    #expect(
      story.handle(.track(SampleRecording.audio)) == [
        .setTimer(.check, after: .seconds(1)), .setTimer(.sync, after: .seconds(1)), .measure,
      ])
    #expect(story.handle(.room(hasFile: false)) == [open(.new("a.mp4"), at: .zero)])
  }

  @Test mutating func `a packet is taken only after the previous one, and the first opens the recording`() {
    #expect(story.machine.takesMedia)
    let packet = picture(1)
    #expect(story.offer(packet) == [.write(packet, isLate: false)])
    #expect(!story.machine.takesMedia)
    #expect(story.handle(.written(bytes: 200)) == [.publish(bytes: 200)])
    #expect(story.machine.takesMedia)
    #expect(story.reports == [.opened(path: "a.mp4")])
  }

  @Test(arguments: [
    RecordingMachine.Event.written(bytes: 9), .flushed, .closed(bytes: 9), .opened(path: "b.mp4"),
    .measured(free: 0, hasFile: false), .operationFailed(failure(5)), .timerFired(.retry),
    .synchronized(1, failure(5)), .previousFinished(1, .finished(path: "a.mp4", bytes: 9)),
  ])
  mutating func `an answer that nothing waits for is ignored`(event: RecordingMachine.Event) {
    #expect(story.handle(event) == [])
    #expect(story.machine.takesMedia)
  }

  @Test(arguments: [false, true], [false, true])
  mutating func `a recording without packets makes no file, but finishes another process's`(
    isContinued: Bool, isAnnounced: Bool
  ) {
    let destination = Recorder.Destination.continuing("a.mp4", nil, origin: .zero)
    story = RecordingStory(isContinued ? destination : .new("a.mp4"))
    if isAnnounced { for track in SampleRecording.tracks { story.handle(.track(track)) } }
    #expect(story.handle(.drained) == (isContinued ? [.close(path: "a.mp4")] : []))
    if isContinued { story.handle(.closed(bytes: 7)) }
    #expect(story.machine.isFinished)
    #expect(story.reports == (isContinued ? [.finished(path: "a.mp4", bytes: 7)] : []))
  }

  // MARK: - The disk

  @Test mutating func `a refused packet is written to the same file after a wait, without a loss`() {
    let packet = picture(1)
    #expect(story.fail(packet, 5) == [.setTimer(.retry, after: .milliseconds(250))])
    #expect(!story.machine.takesMedia)
    #expect(story.fire(.retry, after: .milliseconds(249)) == [])
    #expect(story.fire(.retry, after: .milliseconds(1)) == [.measure])
    #expect(story.handle(.room(hasFile: true)) == [.write(packet, isLate: false)])
    story.handle(.written(bytes: 300))
    #expect(story.reports == [.opened(path: "a.mp4"), .disk(.failed(code: 5)), .disk(.writing)])
  }

  @Test mutating func `a waiting disk is not measured, and takes the packet that comes after its wait`() {
    story.handle(.timerFired(.check), .operationFailed(failure(5)))
    #expect(story.handle(.timerFired(.check)) == [.setTimer(.check, after: .seconds(1))])
    #expect(story.fire(.retry, after: .seconds(1)) == [])
    #expect(story.offer(picture(1)) == [.measure])
  }

  @Test mutating func `a full disk ends the file, which is continued when there is room`() {
    let packet = picture(1)
    #expect(story.fail(packet, 28) == [.close(path: "a.mp4"), .setTimer(.retry, after: .seconds(1))])
    #expect(story.fire(.retry, after: .seconds(1)) == [], "the file is still being ended")
    #expect(story.handle(.closed(bytes: 100)) == [.measure])
    #expect(story.handle(.room(hasFile: false)) == [open(.continuing("a.mp4"), at: packet.decodeTime)])
    let ends = [TrackKind.video: packet.decodeTime - .milliseconds(20), .audio: .zero]
    #expect(story.handle(.opened(path: "a.mp4", ends: ends)) == [.lose(packet, needsKeyframe: true)])
    #expect(story.offer(sound(at: packet.decodeTime)).first?.isWrite ?? false)
    story.handle(.written(bytes: 250))
    #expect(story.offer(picture(2, isKeyframe: true)).first?.isWrite ?? false)
    story.handle(.written(bytes: 300))
    let loss = Recorder.Loss(
      track: .video, at: ends[.video] ?? .zero,
      duration: FrameRate.thirty.frameDuration - packet.decodeTime + .milliseconds(20), packets: 0,
      cause: .diskFailed)
    #expect(
      story.reports == [
        .opened(path: "a.mp4"), .disk(full), .finished(path: "a.mp4", bytes: 100), .lost(loss),
        .disk(.writing), .opened(path: "a.mp4"),
      ])
  }

  @Test mutating func `a file that cannot be continued is followed by a part that begins with a keyframe`() {
    story.fail(picture(1), 5)
    story.retry(hasFile: false)
    let time = picture(1).decodeTime
    let missing = RecordingError(path: "a.mp4", MissingFile())
    #expect(story.handle(.operationFailed(missing)) == [open(.part(of: "a.mp4"), at: time)])
    #expect(story.handle(.opened(path: "a-2.mp4")) == [.lose(picture(1), needsKeyframe: true)])
    let next = picture(2, isKeyframe: true)
    #expect(story.offer(next) == [.write(next.shifted(by: .zero - time), isLate: false)])
    #expect(story.reports.last == .continuedElsewhere(path: "a-2.mp4", reason: "the file is gone"))
  }

  @Test mutating func `a file at its size limit is ended, and another part takes the refused packet`() {
    story = .begun(bytes: 2 << 20)
    let packet = picture(1, isKeyframe: true)
    #expect(story.fail(packet, 27) == [.close(path: "a.mp4")])
    #expect(story.handle(.closed(bytes: 3 << 20)) == [open(.part(of: "a.mp4"), at: packet.decodeTime)])
    story.handle(.opened(path: "a-2.mp4"))
    #expect(story.handle(.written(bytes: 50)) == [.publish(bytes: 2 << 20 + 50)])
    #expect(!story.reports.contains(.disk(full)))
  }

  @Test(arguments: [false, true])
  mutating func `a disk without room fails the recording, unless the settings say to wait for room`(
    waits: Bool
  ) {
    story = RecordingStory {
      $0.waitsForRoom = waits
      $0.disk = DiskLimits(reserve: 1 << 20)
    }
    story.gather()
    story.handle(.measured(free: 1 << 20, hasFile: false))
    #expect(story.machine.isFinished == !waits)
    guard waits else { return }
    #expect(story.reports == [.disk(.full(free: 1 << 20, required: 5 << 18))])
    #expect(story.fire(.retry, after: .seconds(1)) == [.measure])
    #expect(story.handle(.measured(free: 1 << 30, hasFile: false)) == [open(.new("a.mp4"), at: .zero)])
  }

  @Test mutating func `a missing file counts as a disk failure at the next check`() {
    story.handle(.timerFired(.check), .room(hasFile: false))
    #expect(story.reports.last == .disk(.failed(code: 2)))
  }

  // MARK: - Several files

  @Test mutating func `sound from before a cut goes to the previous file, which is finished alongside`() {
    story = .begun { $0.segment = .duration(.seconds(1)) }
    let cut = picture(30, isKeyframe: true)
    #expect(story.offer(cut) == [open(.next, at: cut.decodeTime)])
    story.handle(.opened(path: "b.mp4"), .written(bytes: 10))
    let late = sound(at: .milliseconds(900))
    #expect(story.offer(late) == [.write(late, isLate: true)])
    #expect(story.handle(.written(bytes: 10)) == [])
    #expect(
      story.offer(sound(at: .seconds(1))) == [.finishPrevious(1), .write(sound(at: .zero), isLate: false)])
    story.handle(.written(bytes: 20), .drained, .closed(bytes: 20))
    #expect(!story.machine.isFinished, "the one before is still being finished")
    #expect(story.handle(.previousFinished(2, .finished(path: "a.mp4", bytes: 1))) == [])
    #expect(!story.machine.isFinished, "another number is not awaited")
    story.handle(.previousFinished(1, .finished(path: "a.mp4", bytes: 99)))
    #expect(story.machine.isFinished)
    #expect(
      story.reports.suffix(2) == [.finished(path: "b.mp4", bytes: 20), .finished(path: "a.mp4", bytes: 99)])
  }

  @Test mutating func `a file that cannot be cut continues, and the next keyframe is another chance`() {
    story = .begun(bytes: 60) { $0.segment = .size(50) }
    let cut = picture(1, isKeyframe: true)
    #expect(
      story.fail(cut, 28)
        == [.journal(path: "a.mp4", SampleRecording.tracks, origin: .zero), .write(cut, isLate: false)])
    story.handle(.written(bytes: 70))
    #expect(story.offer(picture(2)).first?.isWrite ?? false)
    story.handle(.written(bytes: 80))
    let next = picture(3, isKeyframe: true)
    #expect(story.offer(next) == [open(.next, at: next.decodeTime)])
  }

  @Test mutating func `a standstill of the broadcast shifts the file's time and updates the journal`() {
    let packet = picture(1)
    let shifted = packet.shifted(by: .seconds(5))
    #expect(story.handle(.packet(packet, standstill: .seconds(5))) == [.write(shifted, isLate: false)])
    let journal = story.handle(.written(bytes: 9)).last
    #expect(journal == .journal(path: "a.mp4", SampleRecording.tracks, origin: .zero - .seconds(5)))
  }

  // MARK: - Pauses and the end

  @Test(arguments: [false, true])
  mutating func `a pause is reported when everything is on the disk, or the disk refuses it`(isRefused: Bool)
  {
    #expect(story.handle(.flushRequested) == [.flush])
    #expect(story.reports.last != .flushed)
    story.handle(isRefused ? .operationFailed(failure(5)) : .flushed)
    #expect(story.reports.last == .flushed)
    #expect(story.machine.takesMedia)
  }

  @Test(arguments: [false, true])
  mutating func `a refusing disk is tried once more at the end, and accepted packets are kept`(takes: Bool) {
    let packets = [1, 2, 3].map { picture($0) }
    story.fail(packets[0], 5)
    #expect(story.handle(.finishRequested) == [.write(packets[0], isLate: false)])
    guard takes else {
      #expect(story.handle(.operationFailed(failure(5))).contains(.lose(packets[0])))
      #expect(story.offer(packets[1]) == [.lose(packets[1])])
      return
    }
    story.handle(.written(bytes: 10))
    #expect(story.offer(packets[1]) == [.write(packets[1], isLate: false)])
    story.handle(.written(bytes: 10))
    #expect(story.handle(.drained) == [.close(path: "a.mp4")])
  }

  @Test(arguments: [0, 1 << 19])
  mutating func
    `a file that a full disk has ended is continued at the end if there is any room above the reserve`(
      free: Int
    )
  {
    story = .begun { $0.disk = DiskLimits(reserve: 1 << 20) }
    let packets = [1, 2].map { picture($0) }
    story.fail(packets[0], 28)
    story.handle(.closed(bytes: 100))
    #expect(story.handle(.finishRequested) == [.measure])
    let actions = story.handle(.measured(free: 1 << 20 + free, hasFile: false))
    guard free > 0 else {
      #expect(actions.contains(.lose(packets[0])))
      #expect(story.offer(packets[1]) == [.lose(packets[1])])
      return
    }
    #expect(actions == [open(.continuing("a.mp4"), at: packets[0].decodeTime)])
    let ends = [TrackKind.video: packets[0].decodeTime]
    #expect(story.handle(.opened(path: "a.mp4", ends: ends)) == [.write(packets[0], isLate: false)])
    story.handle(.written(bytes: 200))
    #expect(story.offer(packets[1]) == [.write(packets[1], isLate: false)])
    story.handle(.written(bytes: 300))
    #expect(story.handle(.drained) == [.close(path: "a.mp4")])
    story.handle(.closed(bytes: 300))
    #expect(story.reports.last == .finished(path: "a.mp4", bytes: 300) && story.machine.isFinished)
  }

  @Test mutating func `a disk that fails again after the last attempt is not retried`() {
    story.fail(picture(1), 5)
    story.handle(.finishRequested, .written(bytes: 10))
    #expect(story.fail(picture(2), 5).contains(.lose(picture(2))))
    #expect(story.offer(picture(3)) == [.lose(picture(3))])
    #expect(story.handle(.drained) == [.close(path: "a.mp4")])
  }

  @Test mutating func `a recording whose disk is full at the end has failed, and keeps its bytes`() {
    story = .begun(bytes: 77)
    story.handle(.flushRequested, .operationFailed(failure(28)), .closed(bytes: 80), .drained)
    #expect(story.reports.last == .failed(failure(28), bytes: 77))
    #expect(story.machine.isFinished)
  }
}
