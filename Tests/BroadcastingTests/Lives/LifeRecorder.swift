import Glibc
import HoldfastMediaModel
import HoldfastPlatform

@testable import HoldfastRecording

/// What is wrong with the disk of a life.
struct LifeDisk: Sendable {
  var isFull = false
  var isBroken = false
  var refusesNextFile = false
}

/// The files of a recorder, on a disk that can be full or fail.
private struct LifeEnvironment: RecorderEnvironment, ~Copyable {
  var files: SystemRecorderEnvironment
  let disk: Locked<LifeDisk>
  private var failure: RecordingMachine.Event?

  init(_ files: consuming SystemRecorderEnvironment, _ disk: Locked<LifeDisk>) {
    self.files = files
    self.disk = disk
  }

  private mutating func attempt(_ body: (inout SystemRecorderEnvironment) -> Void) {
    let trouble = disk.withLock { $0 }
    guard trouble.isBroken || trouble.isFull else { return body(&files) }
    let error = SystemError(operation: "write", code: trouble.isFull ? ENOSPC : EIO)
    failure = .operationFailed(RecordingError(path: "disk", error))
  }

  mutating func measure() { files.measure() }
  mutating func open(_ opening: RecordingMachine.Opening, _ tracks: [Track], origin: MediaTime) {
    attempt { $0.open(opening, tracks, origin: origin) }
  }
  mutating func write(_ packet: MediaPacket, isLate: Bool) { attempt { $0.write(packet, isLate: isLate) } }
  mutating func flush() { attempt { $0.flush() } }
  mutating func close(path: String) { files.close(path: path) }
  mutating func synchronize(_ number: Int) { files.synchronize(number) }
  mutating func finishPrevious(_ number: Int) { files.finishPrevious(number) }
  mutating func journal(path: String, _ tracks: [Track], origin: MediaTime) {
    files.journal(path: path, tracks, origin: origin)
  }
  mutating func lose(_ packet: MediaPacket, needsKeyframe: Bool) {
    files.lose(packet, needsKeyframe: needsKeyframe)
  }
  mutating func publish(bytes: Int) { files.publish(bytes: bytes) }
  mutating func report(_ event: Recorder.Event) { files.report(event) }

  mutating func wait(
    for inbox: Inbox<RecordingMachine.Event>, until deadline: MonotonicTime?, takesMedia: Bool
  ) -> RecordingMachine.Event? {
    if let failure = failure.take() { return failure }
    let event = files.wait(for: inbox, until: deadline, takesMedia: takesMedia)
    guard case .measured(_, let hasFile) = event else { return event }
    return .measured(free: disk.withLock { $0.isFull } ? 0 : 1 << 40, hasFile: hasFile)
  }
}

/// The recorder without its thread, in the time of a life: the same queue, driver and files.
final class LifeRecorder {
  private let inbox = Inbox<RecordingMachine.Event>()
  private let queue = BoundedQueue<Recorder.Item>(capacity: 1 << 15)
  private let intake: Locked<RecorderIntake>
  private let callbacks: Recorder.Callbacks
  private let report: @Sendable (Recorder.Event) -> Void
  private var driver: RecorderDriver<LifeEnvironment>

  init(
    _ destination: Recorder.Destination, tracks: Set<TrackKind>, _ settings: RecorderSettings,
    on disk: Locked<LifeDisk>,
    _ callbacks: Recorder.Callbacks, report: @escaping @Sendable (Recorder.Event) -> Void
  ) throws {
    intake = Locked(RecorderIntake(settings))
    self.callbacks = callbacks
    self.report = report
    let files = SystemRecorderEnvironment(
      destination, queue: queue, intake: intake, worker: try DiskWorker(outcomes: inbox, finishing: { _ in }),
      callbacks, settings: settings, report: report)
    driver = RecorderDriver(
      RecordingMachine(destination, tracks: tracks, settings: settings), LifeEnvironment(files, disk))
  }

  func offer(_ track: Track) { _ = queue.offer(.track(track)) }

  func offer(_ packet: MediaPacket, at now: Instant) {
    switch intake.withLock({ $0.offer(packet, at: now.monotonic) }) {
    case .accepted(let loss):
      if let loss { report(.lost(loss)) }
      _ = queue.offer(.packet(packet))
    case .lost(let needsKeyframe): if needsKeyframe { callbacks.requestKeyframe() }
    }
  }

  func flush() { _ = queue.offer(.flush) }

  /// Does all that can be done by `now`.
  func run(at now: Instant, until deadline: MonotonicTime = .now) {
    repeat {
      driver.fireTimers(at: now)
      while let event = driver.wait(for: inbox, until: deadline) { driver.handle(event, at: now) }
    } while driver.nextDeadline.map { $0 <= now.monotonic } ?? false
  }

  func finish(at now: inout Instant) {
    intake.withLock { $0.close() }
    queue.close()
    inbox.post(.finishRequested)
    run(at: now)
    // Files are finished on another thread.
    while !driver.isFinished {
      if let event = driver.wait(for: inbox, until: .now + .milliseconds(1)) { driver.handle(event, at: now) }
      now.monotonic = now.monotonic + .milliseconds(250)
      driver.fireTimers(at: now)
    }
    for loss in intake.withLock({ $0.takeLosses() }) { report(.lost(loss)) }
  }
}
