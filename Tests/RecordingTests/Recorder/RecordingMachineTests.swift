import Glibc
import HoldfastMediaModel
import HoldfastPlatform
import Testing

@testable import HoldfastRecording

@Suite struct RecordingMachineTests {
  @Test func `a file is opened only after all tracks and a packet have come`() {
    var story = RecordingStory()
    #expect(story.handle(.track(SampleRecording.video)) == [])
    #expect(story.offer(picture(0)) == [])
    #expect(
      story.handle(.track(SampleRecording.audio)) == [
        .setTimer(.check, after: .seconds(1)), .setTimer(.sync, after: .seconds(1)), .measure,
      ])
    #expect(story.handle(.room(hasFile: false)) == [open(.new("a.mp4"), at: .zero)])
  }

  @Test func `a packet is taken only after the previous one, and the first opens the recording`() {
    var story = RecordingStory.begun()
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
  func `an answer that nothing waits for is ignored`(event: RecordingMachine.Event) {
    var story = RecordingStory.begun()
    #expect(story.handle(event) == [])
    #expect(story.machine.takesMedia)
  }

  @Test(arguments: [false, true], [false, true])
  func `a recording without packets makes no file, but finishes another process's`(
    isContinued: Bool, isAnnounced: Bool
  ) {
    let destination = Recorder.Destination.continuing("a.mp4", nil, origin: .zero)
    var story = RecordingStory(isContinued ? destination : .new("a.mp4"))
    if isAnnounced { for track in SampleRecording.tracks { story.handle(.track(track)) } }
    #expect(story.handle(.drained) == (isContinued ? [.close(path: "a.mp4")] : []))
    if isContinued { story.handle(.closed(bytes: 7)) }
    #expect(story.machine.isFinished)
    #expect(story.reports == (isContinued ? [.finished(path: "a.mp4", bytes: 7)] : []))
  }

  // MARK: - The disk

  @Test func `a refused packet is written to the same file after a wait, without a loss`() {
    var story = RecordingStory.begun()
    let packet = picture(1)
    #expect(story.fail(packet, 5) == [.setTimer(.retry, after: .milliseconds(250))])
    #expect(!story.machine.takesMedia)
    #expect(story.fire(.retry, after: .milliseconds(249)) == [])
    #expect(story.fire(.retry, after: .milliseconds(1)) == [.measure])
    #expect(story.handle(.room(hasFile: true)) == [.write(packet, isLate: false)])
    story.handle(.written(bytes: 300))
    #expect(story.reports == [.opened(path: "a.mp4"), .disk(.failed(code: 5)), .disk(.writing)])
  }

  @Test func `a waiting disk is not measured, and takes the packet that comes after its wait`() {
    var story = RecordingStory.begun()
    story.handle(.timerFired(.check))
    story.handle(.operationFailed(failure(5)))
    #expect(story.handle(.timerFired(.check)) == [.setTimer(.check, after: .seconds(1))])
    #expect(story.fire(.retry, after: .seconds(1)) == [])
    #expect(story.offer(picture(1)) == [.measure])
  }

  @Test func `a full disk ends the file, which is continued when there is room`() {
    var story = RecordingStory.begun()
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
        .opened(path: "a.mp4"), .disk(.full), .finished(path: "a.mp4", bytes: 100), .lost(loss),
        .disk(.writing), .opened(path: "a.mp4"),
      ])
  }

  @Test func `a file that cannot be continued is followed by a part that begins with a keyframe`() {
    var story = RecordingStory.begun()
    story.fail(picture(1), 5)
    story.fire(.retry, after: .seconds(1))
    story.handle(.room(hasFile: false))
    let time = picture(1).decodeTime
    #expect(
      story.handle(.operationFailed(RecordingError(path: "a.mp4", MissingFile())))
        == [open(.part(of: "a.mp4"), at: time)])
    #expect(story.handle(.opened(path: "a-2.mp4")) == [.lose(picture(1), needsKeyframe: true)])
    let next = picture(2, isKeyframe: true)
    #expect(story.offer(next) == [.write(next.shifted(by: .zero - time), isLate: false)])
    #expect(story.reports.last == .continuedElsewhere(path: "a-2.mp4", reason: "the file is gone"))
  }

  @Test func `a file at its size limit is ended, and another part takes the refused packet`() {
    var story = RecordingStory.begun(bytes: 2 << 20)
    let packet = picture(1, isKeyframe: true)
    #expect(story.fail(packet, 27) == [.close(path: "a.mp4")])
    #expect(story.handle(.closed(bytes: 3 << 20)) == [open(.part(of: "a.mp4"), at: packet.decodeTime)])
    story.handle(.opened(path: "a-2.mp4"))
    #expect(story.handle(.written(bytes: 50)) == [.publish(bytes: 2 << 20 + 50)])
    #expect(!story.reports.contains(.disk(.full)))
  }

  @Test func `a disk without room fails the recording, unless the settings say to wait for room`() {
    for waits in [false, true] {
      var story = RecordingStory {
        $0.waitsForRoom = waits; $0.disk = DiskLimits(reserve: 1 << 20)
      }
      story.gather()
      story.handle(.measured(free: 1 << 20, hasFile: false))
      #expect(story.machine.isFinished == !waits)
      guard waits else { continue }
      #expect(story.reports == [.disk(.full)])
      #expect(story.fire(.retry, after: .seconds(1)) == [.measure])
      #expect(story.handle(.measured(free: 1 << 30, hasFile: false)) == [open(.new("a.mp4"), at: .zero)])
    }
  }

  @Test func `a missing file counts as a disk failure at the next check`() {
    var story = RecordingStory.begun()
    story.handle(.timerFired(.check))
    story.handle(.room(hasFile: false))
    #expect(story.reports.last == .disk(.failed(code: 2)))
  }

  @Test func `after a failed sync the file is finished, and a part continues the recording`() {
    var story = RecordingStory.begun()
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
    story.handle(.opened(path: "a-2.mp4"))
    story.handle(.written(bytes: 10))
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
    paused.handle(.flushRequested)
    paused.handle(.operationFailed(syncFailure))
    #expect(paused.reports.last == .flushed)
    paused.offer(picture(1, isKeyframe: true))
    paused.fire(.retry, after: .seconds(1))
    #expect(paused.handle(.room(hasFile: true)) == [.close(path: "a.mp4")])

    var failing = RecordingStory.begun()
    failing.handle(.timerFired(.sync))
    failing.fail(picture(1), 5)
    failing.handle(.synchronized(1, syncFailure))
    failing.fire(.retry, after: .seconds(1))
    #expect(failing.handle(.room(hasFile: true)) == [.close(path: "a.mp4")])
    // A part that can't be made is tried again.
    failing.handle(.operationFailed(failure(5)))
    let part = open(.part(of: "a.mp4"), at: picture(1).decodeTime)
    failing.handle(.operationFailed(failure(5)))
    failing.fire(.retry, after: .seconds(9))
    #expect(failing.handle(.room(hasFile: false)) == [part])
  }

  @Test func `a disk that was pulled out and put back has what was synced, and the file goes on from there`()
  {
    var story = RecordingStory.unsynced()
    story.offer(picture(2))
    story.fire(.retry, after: .seconds(1))
    #expect(story.handle(.room(hasFile: false)) == [open(.continuing("a.mp4"), at: picture(2).decodeTime)])
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

  @Test func `what was not synced is lost with a disk that does not return`() {
    var story = RecordingStory.unsynced()
    story.handle(.finishRequested)
    #expect(story.handle(.drained) == [.close(path: "a.mp4")])
    story.handle(.operationFailed(failure(5)))
    #expect(story.reports.suffix(2) == [.lost(lossOfUnsynced), .failed(failure(5), bytes: 200)])
  }

  @Test func `the sync of a file that has been opened again since says nothing about it`() {
    var story = RecordingStory.begun()
    story.handle(.timerFired(.sync))
    story.fail(picture(1), 5)
    story.fire(.retry, after: .seconds(1))
    story.handle(.room(hasFile: false))
    story.handle(.opened(path: "a.mp4", ends: [.video: picture(1).decodeTime]))
    story.handle(.written(bytes: 200))
    #expect(story.handle(.synchronized(1, syncFailure)) == [.setTimer(.sync, after: .zero)])
    story.handle(.timerFired(.check))
    #expect(story.reports.last == .opened(path: "a.mp4"))
  }

  @Test func `the failed sync of an earlier file leaves the current one as it is`() {
    var story = RecordingStory.begun { $0.segment = .duration(.seconds(1)) }
    story.handle(.timerFired(.sync))
    story.offer(picture(30, isKeyframe: true))
    story.handle(.opened(path: "b.mp4"))
    story.handle(.written(bytes: 10))
    story.handle(.synchronized(1, syncFailure))
    #expect(story.reports.last == .disk(.failed(code: 5)))
    story.offer(picture(31))
    story.fire(.retry, after: .seconds(1))
    #expect(story.handle(.room(hasFile: true)).first?.isWrite ?? false)
  }

  @Test(arguments: [false, true])
  func `a sync that fails while the recording is being closed fails it`(isClosedFirst: Bool) {
    var story = RecordingStory.begun()
    story.handle(.timerFired(.sync))
    story.handle(.drained)
    if isClosedFirst { story.handle(.closed(bytes: 80)) }
    #expect(!story.machine.isFinished)
    story.handle(.synchronized(1, syncFailure))
    if !isClosedFirst { story.handle(.closed(bytes: 80)) }
    #expect(story.reports.last == .failed(syncFailure, bytes: 100))
    #expect(story.machine.isFinished)
  }

  @Test func `syncs begin at the interval that is set, and a slow one is followed at once`() {
    var story = RecordingStory.begun { $0.syncEvery = .milliseconds(250) }
    #expect(story.fire(.sync, after: .milliseconds(250)) == [.synchronize(1)])
    story.now = story.now + .milliseconds(100)
    #expect(story.handle(.synchronized(1, nil)) == [.setTimer(.sync, after: .milliseconds(150))])
    #expect(story.fire(.sync, after: .milliseconds(150)) == [.synchronize(2)])
    story.now = story.now + .milliseconds(900)
    #expect(story.handle(.synchronized(2, nil)) == [.setTimer(.sync, after: .zero)])
    story.handle(.drained)
    story.handle(.closed(bytes: 9))
    #expect(story.fire(.sync, after: .zero) == [.setTimer(.sync, after: .milliseconds(250))])
  }

  // MARK: - Several files

  @Test func `sound from before a cut goes to the previous file, which is finished alongside`() {
    var story = RecordingStory.begun { $0.segment = .duration(.seconds(1)) }
    let cut = picture(30, isKeyframe: true)
    #expect(story.offer(cut) == [open(.next, at: cut.decodeTime)])
    story.handle(.opened(path: "b.mp4"))
    story.handle(.written(bytes: 10))
    let late = sound(at: .milliseconds(900))
    #expect(story.offer(late) == [.write(late, isLate: true)])
    #expect(story.handle(.written(bytes: 10)) == [])
    #expect(
      story.offer(sound(at: .seconds(1))) == [.finishPrevious(1), .write(sound(at: .zero), isLate: false)])
    story.handle(.written(bytes: 20))
    story.handle(.drained)
    story.handle(.closed(bytes: 20))
    #expect(!story.machine.isFinished, "the one before is still being finished")
    #expect(story.handle(.previousFinished(2, .finished(path: "a.mp4", bytes: 1))) == [])
    #expect(!story.machine.isFinished, "another number is not awaited")
    story.handle(.previousFinished(1, .finished(path: "a.mp4", bytes: 99)))
    #expect(story.machine.isFinished)
    #expect(
      story.reports.suffix(2) == [.finished(path: "b.mp4", bytes: 20), .finished(path: "a.mp4", bytes: 99)])
  }

  @Test func `a file that cannot be cut continues, and the next keyframe is another chance`() {
    var story = RecordingStory.begun(bytes: 60) { $0.segment = .size(50) }
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

  @Test func `a standstill of the broadcast shifts the file's time and updates the journal`() {
    var story = RecordingStory.begun()
    let packet = picture(1)
    #expect(
      story.handle(.packet(packet, standstill: .seconds(5)))
        == [.write(packet.shifted(by: .seconds(5)), isLate: false)])
    #expect(
      story.handle(.written(bytes: 9)).last
        == .journal(path: "a.mp4", SampleRecording.tracks, origin: .zero - .seconds(5)))
  }

  // MARK: - Pauses and the end

  @Test func `a pause is reported when everything is on the disk, or the disk refuses it`() {
    for isRefused in [false, true] {
      var story = RecordingStory.begun()
      #expect(story.handle(.flushRequested) == [.flush])
      #expect(story.reports.last != .flushed)
      story.handle(isRefused ? .operationFailed(failure(5)) : .flushed)
      #expect(story.reports.last == .flushed)
      #expect(story.machine.takesMedia)
    }
  }

  @Test(arguments: [false, true])
  func `a refusing disk is tried once more at the end, and accepted packets are kept`(takes: Bool) {
    var story = RecordingStory.begun()
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

  @Test func `a disk that fails again after the last attempt is not retried`() {
    var story = RecordingStory.begun()
    story.fail(picture(1), 5)
    story.handle(.finishRequested)
    story.handle(.written(bytes: 10))
    #expect(story.fail(picture(2), 5).contains(.lose(picture(2))))
    #expect(story.offer(picture(3)) == [.lose(picture(3))])
    #expect(story.handle(.drained) == [.close(path: "a.mp4")])
  }

  @Test func `a recording whose disk is full at the end has failed, and keeps its bytes`() {
    var story = RecordingStory.begun(bytes: 77)
    story.handle(.flushRequested)
    story.handle(.operationFailed(failure(28)))
    story.handle(.closed(bytes: 80))
    story.handle(.drained)
    #expect(story.reports.last == .failed(failure(28), bytes: 77))
    #expect(story.machine.isFinished)
  }
}

private func picture(_ number: Int64, isKeyframe: Bool = false) -> MediaPacket {
  SampleRecording.picture(number, isKeyframe: isKeyframe)
}

private func sound(at time: MediaTime) -> MediaPacket {
  var packet = SampleRecording.sound(0)
  packet.decodeTime = time
  packet.presentationTime = time
  return packet
}

private func failure(_ code: Int32) -> RecordingError {
  RecordingError(path: "a.mp4", SystemError(operation: "write", code: code))
}

private let syncFailure = RecordingError(
  path: "a.mp4", SystemError(operation: "fdatasync", code: EIO))

extension MediaPacket {
  fileprivate func shifted(by time: MediaTime) -> MediaPacket {
    var packet = self
    packet.decodeTime += time
    packet.presentationTime += time
    return packet
  }
}

/// A machine, its clock, and what it has reported.
private struct RecordingStory {
  private(set) var machine: RecordingMachine
  var now = MonotonicTime(nanoseconds: 0)
  private(set) var reports: [Recorder.Event] = []

  init(
    _ destination: Recorder.Destination = .new("a.mp4"), _ change: (inout RecorderSettings) -> Void = { _ in }
  ) {
    var settings = RecorderSettings()
    change(&settings)
    machine = RecordingMachine(destination, tracks: [.video, .audio], settings: settings)
  }

  /// The first packet has been written.
  static func begun(bytes: Int = 100, _ change: (inout RecorderSettings) -> Void = { _ in }) -> RecordingStory
  {
    var story = RecordingStory(.new("a.mp4"), change)
    story.gather()
    story.handle(.room(hasFile: false))
    story.handle(.opened(path: "a.mp4"))
    story.handle(.written(bytes: bytes))
    return story
  }

  /// The second picture has been written, but not synced.
  static func unsynced() -> RecordingStory {
    var story = RecordingStory.begun()
    story.handle(.timerFired(.sync))
    story.handle(.synchronized(1, nil))
    story.offer(picture(1))
    story.handle(.written(bytes: 200))
    story.handle(.timerFired(.sync))
    story.handle(.synchronized(2, syncFailure))
    return story
  }

  @discardableResult
  mutating func fire(_ timer: RecordingMachine.Timer, after time: MediaTime) -> [RecordingMachine.Action] {
    now = now + time
    return handle(.timerFired(timer))
  }

  /// The packet cannot be written.
  @discardableResult
  mutating func fail(_ packet: MediaPacket, _ code: Int32) -> [RecordingMachine.Action] {
    offer(packet)
    return handle(.operationFailed(failure(code)))
  }

  /// The resulting actions, except reports.
  @discardableResult
  mutating func handle(_ event: RecordingMachine.Event) -> [RecordingMachine.Action] {
    machine.handle(event, at: now).filter { action in
      guard case .report(let event) = action else { return true }
      reports.append(event)
      return false
    }
  }

  @discardableResult
  mutating func offer(_ packet: MediaPacket) -> [RecordingMachine.Action] {
    handle(.packet(packet, standstill: .zero))
  }

  mutating func gather() {
    for track in SampleRecording.tracks { handle(.track(track)) }
    offer(picture(0, isKeyframe: true))
  }
}

private let lossOfUnsynced = Recorder.Loss(
  track: .video, at: picture(1).decodeTime, duration: picture(1).duration, packets: 0, cause: .diskFailed)

private func open(_ opening: RecordingMachine.Opening, at origin: MediaTime) -> RecordingMachine.Action {
  .open(opening, SampleRecording.tracks, origin: origin)
}

extension RecordingMachine.Event {
  fileprivate static func room(hasFile: Bool) -> Self { .measured(free: 1 << 40, hasFile: hasFile) }
}

extension RecordingMachine.Action {
  fileprivate var isWrite: Bool { if case .write = self { true } else { false } }
}
