import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRecording
import TestVirtualTime

/// A broadcast's recorder: the real state machine, driver and intake on a simulated disk, which executes one
/// verb at a time. On a healthy disk one packet stands for all media since the last.
final class SimulatedRecorder {
  private enum Job {
    case measure
    case open(RecordingMachine.Opening, origin: MediaTime)
    case write(MediaPacket)
    case flush, close
  }

  private let process: SimulatedProcess
  private unowned let broadcast: SimulatedBroadcast
  private let path: String
  private var loop: VirtualLoop<RecorderDriver<SimulatedRecorder>>?
  private var intake: RecorderIntake
  private var queue: [RecordingMachine.Event] = [.track(SimulatedRecorder.track)]
  /// All media captured until then has been offered.
  private var taken: Int64
  private var isOpen = false
  private var job: (job: Job, since: Int64)?
  /// The number of the sync that is under way.
  private var sync: Int?
  private var hasFailedSync = false
  /// Media time that is 0 in the current part.
  private var origin = MediaTime.zero
  private var isTicking = false
  private var retryBy: MonotonicTime?
  private var refusedAt: Int64?
  private var finished: (() -> Void)?

  private static let track = Track(
    codec: .h264, format: .video(VideoFormat(size: PictureSize(width: 64, height: 64), frameRate: .thirty)),
    headers: [], bitrate: 0)
  private static let tick: Int64 = .s(1)
  private static let noSpace: Int32 = 28
  private static let inputOutputError: Int32 = 5

  init(_ process: SimulatedProcess, _ broadcast: SimulatedBroadcast) {
    self.process = process
    self.broadcast = broadcast
    path = "\(broadcast.id).mp4"
    taken = process.world.now
    var settings = RecorderSettings()
    settings.disk = DiskLimits(reserve: 256 << 20)
    settings.waitsForRoom = true
    intake = RecorderIntake(settings)
    let destination: Recorder.Destination =
      process.disk.recordings[broadcast.id] == nil ? .new(path) : .continuing(path, nil, origin: .zero)
    let machine = RecordingMachine(destination, tracks: [.video], settings: settings)
    loop = VirtualLoop(
      process, RecorderDriver(machine, self), wakes: { [unowned self] in !isAtRest },
      ended: { [unowned self] in ended() })
  }

  private var world: World { process.world }
  private var disk: Disk { process.disk }
  private var now: Int64 { world.now }
  private var file: RecordingFile? { disk.recordings[broadcast.id]?.last }

  func release() { (loop, finished) = (nil, nil) }

  /// Queues the captured media and writes it as fast as the disk allows. Also called before each change of
  /// the disk.
  func settle() {
    let captured = taken..<now
    taken = now
    for part in broadcast.clock.parts(of: captured) {
      offer(MediaTime(nanoseconds: part.media), MediaTime(nanoseconds: part.captured.length))
      loop?.turn()
    }
    loop?.turn()
    _ = intake.checkDisk(at: process.host.clock)
    guard !isAtRest, !isTicking, !intake.isClosed else { return }
    isTicking = true
    process.after(Self.tick) { [self] in
      isTicking = false
      settle()
    }
  }

  private var isAtRest: Bool {
    job == nil && queue.isEmpty && disk.state == .good && !intake.isClosed && loop?.driver.takesMedia ?? true
  }

  private func offer(_ time: MediaTime, _ length: MediaTime) {
    let packet = MediaPacket(
      track: .video, decodeTime: time, presentationTime: time, duration: length, isKeyframe: true, bytes: [])
    switch intake.offer(packet, at: process.host.clock) {
    case .accepted(let loss):
      queue.append(.packet(packet, standstill: .zero))
      if let loss { broadcast.recorderReported(.lost(loss)) }
    case .lost: break
    }
  }

  func diskChanged() {
    if let job { begin(job.job) }
    settle()
  }

  /// Synchronizes all media so far to the disk.
  func requestFlush() {
    settle()
    queue.append(.flushRequested)
    loop?.turn()
  }

  func finish(_ done: @escaping () -> Void) {
    settle()
    intake.close()
    finished = done
    if loop?.driver.isFinished ?? true { return ended() }
    loop?.turn(.finishRequested)
  }

  private func ended() {
    intake.close()
    guard let finished = finished.take() else { return }
    for loss in intake.takeLosses() { broadcast.recorderReported(.lost(loss)) }
    process.after(0, finished)
  }

  /// The process crashes: queued media and possibly the open fragment are lost.
  func vanish() {
    settle()
    file?.cut(to: now - now % .ms(500))
  }
}

// MARK: - The driver's environment

extension SimulatedRecorder: RecorderEnvironment {
  func measure() {
    if let limit = retryBy.take() {
      world.expect(process.host.clock <= limit, "a disk that has refused is asked again too late")
    }
    begin(.measure)
  }

  func open(_ opening: RecordingMachine.Opening, _ tracks: [Track], origin: MediaTime) {
    begin(.open(opening, origin: origin))
  }

  func write(_ packet: MediaPacket, isLate: Bool) { begin(.write(packet)) }
  func flush() { begin(.flush) }

  func close(path: String) {
    world.expect(path == self.path, "the recorder closes \(path)")
    begin(.close)
  }

  private func begin(_ job: Job) {
    self.job = (job, now)
    guard let answersAt, answersAt > now else { return }
    process.after(answersAt - now) { [self] in loop?.turn() }
  }

  func synchronize(_ number: Int) { sync = number }
  func finishPrevious(_ number: Int) { world.expect(false, "the recorder finishes a file that there is not") }
  func journal(path: String, _ tracks: [Track], origin: MediaTime) {}
  func lose(_ packet: MediaPacket, needsKeyframe: Bool) { intake.lose(packet, intake.disk.failure) }
  func publish(bytes: Int) { _ = intake.publish(bytes: bytes, at: process.host.clock) }

  func report(_ event: Recorder.Event) {
    world.note("recorder: \(event)")
    switch event {
    case .disk(let state):
      guard let changed = intake.disk.update(state, at: process.host.clock) else { return }
      return broadcast.recorderReported(.disk(changed))
    case .finished:
      world.expect(file?.isFinished ?? false, "a recording is reported as finished before it is")
    case .failed:
      world.expect(disk.hadTrouble(within: .minutes(1)), "a recording fails on a good disk: \(event)")
      file?.finish()
    case .flushed:
      let isFlushed = file.map { $0.flushedUntil >= $0.writtenAt } ?? true
      world.expect(disk.state != .good || isFlushed, "a flush is reported before all is on the disk")
      // The report may trigger the next request immediately.
      return process.after(.ms(1)) { [self] in broadcast.recorderReported(event) }
    case .opened, .lost, .continuedElsewhere, .unfinished: break
    }
    broadcast.recorderReported(event)
  }

  func wait(
    for inbox: Inbox<RecordingMachine.Event>, until deadline: MonotonicTime?, takesMedia: Bool
  ) -> RecordingMachine.Event? {
    if let answer = answer() { return answer }
    guard takesMedia else { return nil }
    guard !queue.isEmpty else { return intake.isClosed ? .drained : nil }
    let event = queue.removeFirst()
    if case .packet(let packet, _) = event { intake.remove(packet) }
    return event
  }

  /// When the disk completes the job; nil without a job, or if the disk hangs.
  private var answersAt: Int64? {
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
    if disk.state != .hung, let sync = sync.take() {
      guard disk.state != .broken else {
        // A different error, after which the retry delay is longer.
        (refusedAt, retryBy) = (now, nil)
        hasFailedSync = true
        return .synchronized(sync, error(Self.inputOutputError))
      }
      // The program does this once a second, the simulation only on events.
      file?.flush(until: now - .s(2))
      return .synchronized(sync, nil)
    }
    guard let job, let answersAt, answersAt <= now else { return nil }
    self.job = nil
    switch (disk.state, job.job) {
    case (.broken, .open), (.broken, .write), (.broken, .flush), (.broken, .close):
      return failed(job.job, Self.inputOutputError)
    case (.full, .open(.new, _)), (.full, .write): return failed(job.job, Self.noSpace)
    case (_, .measure): return .measured(free: disk.state == .full ? 0 : 1 << 40, hasFile: isOpen)
    case (_, .open(let opening, let origin)): return opened(opening, origin)
    case (_, .write(let packet)): return written(packet)
    case (_, .flush):
      file?.flush(until: now)
      return .flushed
    case (_, .close):
      isOpen = false
      file?.flush(until: now)
      file?.finish()
      return .closed(bytes: 1)
    }
  }

  private func error(_ code: Int32) -> RecordingError {
    RecordingError(path: path, SystemError(operation: "write", code: code))
  }

  private func failed(_ job: Job, _ code: Int32) -> RecordingMachine.Event {
    guard case .write = job else { return .operationFailed(error(code)) }
    let limits = DiskLimits(reserve: 0)
    // The first retry follows soon, later ones after increasing delays.
    let isFirst = refusedAt == nil
    let wait =
      disk.state == .full
      ? isFirst ? limits.checkInterval : limits.maxRoomDelay
      : isFirst ? limits.minRetryDelay : limits.maxRetryDelay
    refusedAt = now
    retryBy = process.host.clock + wait + .milliseconds(50)
    return .operationFailed(error(code))
  }

  private func opened(_ opening: RecordingMachine.Opening, _ origin: MediaTime) -> RecordingMachine.Event {
    let known = file
    switch opening {
    case .new: world.expect(known == nil, "the recorder makes a second file")
    case .continuing(let path):
      world.expect(known != nil && path == self.path, "the recorder continues \(path), which is not its file")
    // The part after a failed sync counts as the same file here.
    case .part:
      world.expect(hasFailedSync, "the recorder leaves its file")
      (hasFailedSync, self.origin) = (false, origin)
    case .next: world.expect(false, "the recorder leaves its file")
    }
    isOpen = true
    let file = known ?? disk.makeRecording(of: broadcast.id)
    file.reopen()
    return .opened(path: path, ends: [.video: MediaTime(nanoseconds: file.mediaEnd)])
  }

  private func written(_ packet: MediaPacket) -> RecordingMachine.Event {
    retryBy = nil
    // A disk that has worked for a minute is asked soon again; one that was not tried in an interruption is not.
    if let refusal = refusedAt, now - refusal > .minutes(1) { refusedAt = nil }
    if let loss = intake.written(packet.track) { broadcast.recorderReported(.lost(loss)) }
    world.expect(isOpen, "the recorder writes to a file that is not open")
    let media = (packet.decodeTime + origin).nanoseconds
    let from = broadcast.clock.captured(media: media)
    let isInOrder = file?.append(from..<(from + packet.duration.nanoseconds), media: media, at: now)
    world.expect(isInOrder ?? false, "the recording's timeline goes back, or it is finished")
    return .written(bytes: 1)
  }
}
