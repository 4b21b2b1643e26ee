import HoldfastMP4
import HoldfastMediaModel
import HoldfastPlatform

/// The files and the disk of a recorder.
struct SystemRecorderEnvironment: RecorderEnvironment, ~Copyable {
  let queue: BoundedQueue<Recorder.Item>
  let intake: Locked<RecorderIntake>
  let worker: DiskWorker
  let callbacks: Recorder.Callbacks
  let settings: RecorderSettings
  private let send: @Sendable (Recorder.Event) -> Void

  private var path: String
  /// The file to continue, until it is opened.
  private var known: FragmentedFile?
  private var file: FragmentWriter?
  private var previous: FragmentWriter?
  /// The disk below the mount point of the recording's disk, which is none if that is the root's; nil before the first
  /// measurement.
  private var below: UInt64??
  private var outcome: RecordingMachine.Event?

  init(
    _ destination: Recorder.Destination, queue: BoundedQueue<Recorder.Item>, intake: Locked<RecorderIntake>,
    worker: DiskWorker, _ callbacks: Recorder.Callbacks, settings: RecorderSettings,
    report: @escaping @Sendable (Recorder.Event) -> Void
  ) {
    self.queue = queue
    self.intake = intake
    self.worker = worker
    self.callbacks = callbacks
    self.settings = settings
    send = report
    path = destination.path
    known = destination.known
  }

  deinit {
    intake.withLock { $0.close() }
    queue.close()
  }

  private mutating func perform(at path: String, _ body: (inout Self) throws -> RecordingMachine.Event) {
    do {
      outcome = try body(&self)
    } catch {
      outcome = .operationFailed(RecordingError(path: path, error))
    }
  }

  mutating func measure() {
    perform(at: path) { environment in
      let folder = folder(of: environment.path)
      let below = try environment.below ?? diskNumber(belowFolderOf: environment.path)
      environment.below = below
      // A disk that is back may have another number.
      guard try diskNumber(ofFolderOf: environment.path) != below else { throw SystemError.missing(folder) }
      let free = try FreeSpace(at: folder).available
      environment.intake.withLock { $0.measured(free: free) }
      return .measured(free: free, hasFile: environment.file?.isThere ?? false)
    }
  }

  mutating func open(_ opening: RecordingMachine.Opening, _ tracks: [Track], origin: MediaTime) {
    switch opening {
    case .new(let path): make(path, tracks, origin)
    case .next: make(callbacks.nextPath?() ?? RecordingName.freePart(of: path), tracks, origin)
    case .part(let path): make(RecordingName.freePart(of: path), tracks, origin)
    case .continuing(let path): perform(at: path) { try $0.reopen(path, tracks) }
    }
  }

  private mutating func make(_ path: String, _ tracks: [Track], _ origin: MediaTime) {
    callbacks.journal(path, tracks, origin)
    perform(at: path) { environment in
      let settings = environment.settings
      let writer = try FragmentWriter(
        path: path, tracks: tracks, expected: settings.expectedFile, mode: settings.mode)
      // Without a file before it, a part leaves the one before a cut as it is.
      if let file = environment.file.take() { environment.previous = consume file }
      environment.file = consume writer
      environment.path = path
      return .opened(path: path)
    }
  }

  private mutating func reopen(_ path: String, _ tracks: [Track]) throws -> RecordingMachine.Event {
    file = nil
    let known = self.known.take()
    guard known != nil || fileExists(path) else { throw MissingFile() }
    do {
      let contents = try known ?? FragmentedFile(endOf: path)
      file = try FragmentWriter(continuing: path, contents, tracks: tracks, isOfAnother: known != nil)
      let ends = tracks.compactMap { track in contents.end(of: track.kind).map { (track.kind, $0) } }
      return .opened(path: path, ends: Dictionary(ends) { $1 })
    } catch {
      // Cuts the torn end of a file from another process, which is not opened again.
      if known != nil { _ = try? FragmentedFile.cutTornEnd(of: path) }
      throw error
    }
  }

  mutating func write(_ packet: MediaPacket, isLate: Bool) {
    perform(at: path) { environment in
      if isLate {
        try environment.previous?.write(packet)
      } else {
        try environment.file?.write(packet)
      }
      let loss = environment.intake.withLock { $0.written(packet.track) }
      if let loss { environment.send(.lost(loss)) }
      return .written(bytes: environment.file?.bytesWritten ?? 0)
    }
  }

  mutating func flush() {
    perform(at: path) { environment in
      try environment.file?.flush()
      return .flushed
    }
  }

  mutating func close(path: String) {
    callbacks.finishing(path)
    perform(at: path) { environment in
      guard var file = environment.file.take() else {
        let file = try FileDescriptor.openForUpdating(path, mustExist: true)
        return .closed(bytes: try FragmentedFile.finish(file))
      }
      return .closed(bytes: try file.finish())
    }
  }

  mutating func synchronize(_ number: Int) {
    do {
      if let descriptor = try file?.prepareSync() {
        worker.begin(.synchronize(number, descriptor, path: path))
      } else {
        worker.outcomes.post(.synchronized(number, nil))
      }
    } catch {
      worker.outcomes.post(.synchronized(number, RecordingError(path: path, error)))
    }
  }

  mutating func finishPrevious(_ number: Int) {
    if let file = previous.take() { worker.begin(.finish(number, file)) }
  }

  func journal(path: String, _ tracks: [Track], origin: MediaTime) { callbacks.journal(path, tracks, origin) }

  func lose(_ packet: MediaPacket, needsKeyframe: Bool) {
    if needsKeyframe { callbacks.requestKeyframe() }
    intake.withLock { $0.lose(packet, $0.disk.failure) }
  }

  func publish(bytes: Int) {
    if let state = intake.withLock({ $0.publish(bytes: bytes, at: .now) }) { send(.disk(state)) }
  }

  func report(_ event: Recorder.Event) {
    guard case .disk(let state) = event else { return send(event) }
    if let changed = intake.withLock({ $0.disk.update(state, at: .now) }) { send(.disk(changed)) }
  }

  mutating func wait(
    for inbox: Inbox<RecordingMachine.Event>, until deadline: MonotonicTime?, takesMedia: Bool
  ) -> RecordingMachine.Event? {
    if let outcome = outcome.take() { return outcome }
    guard takesMedia else { return inbox.take(until: deadline) }
    if let event = inbox.take(until: .now) { return event }
    // Checked before the queue, so that no late item is missed.
    let isClosed = intake.withLock { $0.isClosed }
    switch queue.take(until: deadline) {
    case .track(let track): return .track(track)
    case .flush: return .flushRequested
    case .packet(let packet):
      intake.withLock { $0.remove(packet) }
      return .packet(packet, standstill: callbacks.standstill(packet.decodeTime))
    case nil: return isClosed ? .drained : nil
    }
  }
}
