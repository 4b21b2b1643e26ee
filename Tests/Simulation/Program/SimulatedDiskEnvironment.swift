internal import HoldfastMediaModel
internal import HoldfastPlatform
internal import HoldfastRecording

/// The files of a simulated recorder: each verb is answered when the disk has come that far, in virtual time.
final class SimulatedDiskEnvironment: RecorderEnvironment {
  private enum Job {
    case measure
    case open(RecordingMachine.Opening)
    case write(MediaPacket)
    case flush, close
  }

  private let process: SimulatedProcess
  private let broadcast: String
  private let path: String
  var clock: () -> MediaClock = { MediaClock() }
  var tell: (Recorder.Event) -> Void = { _ in }
  var intake: RecorderIntake
  var queue: [RecordingMachine.Event] = []
  private var isOpen = false
  private var job: (job: Job, since: Int64)?
  private var isSynchronizing = false

  private static let noSpace: Int32 = 28
  private static let inputOutputError: Int32 = 5

  init(_ process: SimulatedProcess, _ broadcast: String, _ path: String, _ settings: RecorderSettings) {
    self.process = process
    self.broadcast = broadcast
    self.path = path
    intake = RecorderIntake(settings)
  }

  private var world: World { process.world }
  private var disk: Disk { process.disk }
  var file: RecordingFile? { disk.recordings[broadcast]?.last }

  /// Nothing waits, and the disk takes what comes.
  var isAtRest: Bool { job == nil && queue.isEmpty && disk.state == .good && !intake.isClosed }

  func diskChanged() {
    job?.since = world.now
  }

  // MARK: - Verbs

  func measure() { begin(.measure) }
  func open(_ opening: RecordingMachine.Opening, _ tracks: [Track], origin: MediaTime) {
    begin(.open(opening))
  }
  func write(_ packet: MediaPacket, isLate: Bool) { begin(.write(packet)) }
  func flush() { begin(.flush) }

  func close(path: String) {
    world.expect(path == self.path, "the recorder closes \(path)")
    begin(.close)
  }

  private func begin(_ job: Job) {
    world.expect(self.job == nil, "the recorder does two things at a time")
    self.job = (job, world.now)
  }

  func synchronize() { isSynchronizing = true }
  func finishPrevious() { world.expect(false, "the recorder finishes a file that there is not") }
  func note(path: String, _ tracks: [Track], origin: MediaTime) {}
  func requestKeyframe() {}
  func lose(_ packet: MediaPacket) { intake.lose(packet, isHeld: true) }
  func publish(bytes: Int) { _ = intake.publish(bytes: bytes, at: process.host.clock) }

  func report(_ event: Recorder.Event) {
    switch event {
    case .disk(let state):
      guard let news = intake.disk.find(state, at: process.host.clock) else { return }
      return tell(.disk(news))
    case .finished:
      world.expect(file?.isFinished ?? false, "a recording is reported as finished before it is")
    case .failed:
      let isTroubled = disk.trouble.touched((world.now - .s(60))..<(world.now + 1))
      world.expect(isTroubled, "a recording fails on a good disk: \(event)")
      // What is in it is whole.
      file?.finish()
    case .paused:
      let isFlushed = file.map { $0.flushedUntil >= $0.writtenAt } ?? true
      world.expect(disk.state != .good || isFlushed, "a pause is reported before all is on the disk")
    case .opened, .lost, .continuedElsewhere, .unfinished: break
    }
    tell(event)
  }

  func wait(
    for inbox: Inbox<RecordingMachine.Event>, until deadline: MonotonicTime?, takesMedia: Bool
  ) -> RecordingMachine.Event? {
    if let answer = answer() { return answer }
    guard takesMedia else { return nil }
    guard !queue.isEmpty else { return intake.isClosed ? .drained : nil }
    let event = queue.removeFirst()
    if case .packet(let packet, _) = event { intake.take(packet) }
    return event
  }

  // MARK: - Answers

  /// When the disk answers; nil where nothing is under way, or it hangs.
  var answersAt: Int64? {
    guard let job else { return nil }
    switch (disk.state, job.job) {
    case (.hung, _): return nil
    case (.slow(let rate), .write(let packet)): return job.since + packet.duration.nanoseconds * 100 / rate
    case (.slow, .flush), (.slow, .close): return job.since + .ms(200)
    case (_, .flush), (_, .close): return job.since + .ms(20)
    case (_, .measure), (_, .open), (_, .write): return job.since
    }
  }

  private func answer() -> RecordingMachine.Event? {
    if isSynchronizing, disk.state != .hung {
      isSynchronizing = false
      return .synchronized(disk.state == .broken ? refusal(Self.inputOutputError) : nil)
    }
    guard let job, let answersAt, answersAt <= world.now else { return nil }
    self.job = nil
    switch (disk.state, job.job) {
    case (.broken, .open), (.broken, .write), (.broken, .flush), (.broken, .close):
      return .refused(refusal(Self.inputOutputError))
    case (.full, .open(.new)), (.full, .write): return .refused(refusal(Self.noSpace))
    case (_, .measure): return .measured(free: disk.state == .full ? 0 : 1 << 40, hasFile: isOpen)
    case (_, .open(let opening)): return opened(opening)
    case (_, .write(let packet)): return written(packet)
    case (_, .flush):
      file?.flushedUntil = world.now
      return .flushed
    case (_, .close):
      isOpen = false
      file?.flushedUntil = world.now
      file?.finish()
      return .closed(bytes: 1)
    }
  }

  private func refusal(_ code: Int32) -> RecordingError {
    RecordingError(path: path, SystemError(operation: "write", code: code))
  }

  private func opened(_ opening: RecordingMachine.Opening) -> RecordingMachine.Event {
    let known = file
    switch opening {
    case .new: world.expect(known == nil, "the recorder makes a second file")
    case .continuing(let path):
      world.expect(known != nil && path == self.path, "the recorder continues \(path), which is not its file")
    case .next, .part: world.expect(false, "the recorder leaves its file")
    }
    isOpen = true
    let file = known ?? disk.makeRecording(of: broadcast)
    file.reopen()
    return .opened(path: path, ends: [.video: MediaTime(nanoseconds: file.mediaEnd)])
  }

  private func written(_ packet: MediaPacket) -> RecordingMachine.Event {
    world.expect(isOpen, "the recorder writes to a file that is not open")
    let from = clock().captured(media: packet.decodeTime.nanoseconds)
    let isInOrder = file?.append(
      from..<(from + packet.duration.nanoseconds), media: packet.decodeTime.nanoseconds, at: world.now)
    world.expect(isInOrder ?? false, "the recording's time line goes back, or it is finished")
    return .written(bytes: 1)
  }
}
