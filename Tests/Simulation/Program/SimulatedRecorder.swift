internal import HoldfastMediaModel
internal import HoldfastPlatform
internal import HoldfastRecording

/// A broadcast's recorder: the real machine, driver and intake, before a simulated disk.
///
/// While the disk is good nothing happens by itself: a packet is all that was captured since the last one.
final class SimulatedRecorder {
  private let process: SimulatedProcess
  private let clock: () -> MediaClock
  private let report: (Recorder.Event) -> Void
  private var driver: RecorderDriver<SimulatedDiskEnvironment>
  private let inbox = Inbox<RecordingMachine.Event>(capacity: 1)
  /// What was captured until then has been offered.
  private var taken: Int64
  private var wakesAt: Int64?
  private var isBusy = false
  private var finished: (() -> Void)?

  private static let track = Track(
    codec: .h264,
    format: .video(VideoFormat(size: PictureSize(width: 64, height: 64), frameRate: .thirty)), headers: [],
    bitrate: 0)
  /// How often a disk that is not good is looked at, and the longest packet meanwhile.
  private static let tick: Int64 = .s(1)

  /// Continues the file that a broadcast which was taken up already has.
  init(
    _ process: SimulatedProcess, _ broadcast: String, clock: @escaping () -> MediaClock,
    report: @escaping (Recorder.Event) -> Void
  ) {
    self.process = process
    self.clock = clock
    self.report = report
    taken = process.world.now
    let path = "\(broadcast).mp4"
    var settings = RecorderSettings()
    settings.disk = DiskLimits(reserve: 256 << 20)
    settings.waitsForRoom = true
    let place: Recorder.Place =
      process.disk.recordings[broadcast] == nil ? .new(path) : .continuing(path, nil, origin: .zero)
    let environment = SimulatedDiskEnvironment(process, broadcast, path, settings)
    driver = RecorderDriver(RecordingMachine(place, tracks: [.video], settings: settings), environment)
    environment.clock = clock
    environment.tell = { [unowned self] in reported($0) }
    environment.queue = [.track(Self.track)]
  }

  private var environment: SimulatedDiskEnvironment { driver.environment }
  private var now: Int64 { process.world.now }

  func release() {
    finished = nil
    environment.tell = { _ in }
  }

  /// What is captured goes into the queue, and from there into the file as fast as the disk takes it. Called before the
  /// disk changes, too.
  func settle() {
    let captured = taken..<now
    taken = now
    for part in clock().parts(of: captured) {
      offer(MediaTime(nanoseconds: part.media), MediaTime(nanoseconds: part.captured.length))
      run()
    }
    run()
  }

  private func offer(_ time: MediaTime, _ length: MediaTime) {
    let packet = MediaPacket(
      track: .video, decodeTime: time, presentationTime: time, duration: length, isKeyframe: true, bytes: [])
    switch environment.intake.offer(packet, at: process.host.clock) {
    case .taken(let loss):
      environment.queue.append(.packet(packet, standstill: .zero))
      if let loss { report(.lost(loss)) }
    case .lost: break
    }
  }

  /// Has the driver do all that it can do now.
  private func run() {
    guard !isBusy else { return }
    isBusy = true
    let instant = process.host.now
    driver.fireTimers(at: instant)
    while !driver.isFinished, let event = driver.wait(for: inbox, until: nil) {
      driver.handle(event, at: instant)
    }
    _ = environment.intake.look(at: process.host.clock)
    isBusy = false
    if driver.isFinished { environment.intake.close() }
    if driver.isFinished, let done = finished.take() {
      for loss in environment.intake.takeLosses() { report(.lost(loss)) }
      process.after(0, done)
    } else {
      sleep()
    }
  }

  private func sleep() {
    guard !driver.isFinished, !(driver.takesMedia && environment.isAtRest) else { return }
    let deadline = driver.nextDeadline.map { now + ($0 - process.host.clock).nanoseconds }
    let due = [now + Self.tick, deadline, environment.answersAt].compactMap(\.self).min() ?? now
    guard wakesAt.map({ $0 > due }) ?? true else { return }
    wakesAt = due
    process.after(due - now) { [self] in
      guard wakesAt == due else { return }
      wakesAt = nil
      settle()
    }
  }

  private func reported(_ event: Recorder.Event) {
    process.world.note("recorder: \(event)")
    // Whoever hears of it may ask for the next thing at once.
    if event == .paused { return process.after(.ms(1)) { [self] in report(event) } }
    report(event)
  }

  func diskChanged() {
    environment.diskChanged()
    settle()
  }

  /// Has all that has come so far put on the disk.
  func pause() {
    settle()
    environment.queue.append(.pauseRequested)
    run()
  }

  func finish(_ done: @escaping () -> Void) {
    settle()
    finished = done
    environment.intake.close()
    driver.handle(.finishRequested, at: process.host.now)
    run()
  }

  /// The process is gone, and what waited: the fragment that was being made may be lost, too.
  func vanish() {
    settle()
    environment.file?.cut(to: now - now % .ms(500))
  }
}
