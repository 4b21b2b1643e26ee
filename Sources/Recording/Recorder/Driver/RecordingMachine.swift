import Glibc
package import HoldfastMediaModel
import HoldfastPlatform

/// Decides what to do with a recording's packets and files, one operation at a time.
package struct RecordingMachine: Machine {
  private static let checkInterval = MediaTime.seconds(1)

  private let settings: RecorderSettings
  /// The tracks that are waited for.
  private var expected: Set<TrackKind>
  private let destination: Recorder.Destination
  private var state = State.gathering
  private var files: RecordingFiles
  private var disk: RecordingDisk
  /// Those of the current file.
  private var tracks: [Track] = []
  private var change = TrackChange()
  private var waiting: [QueuedPacket] = []
  /// The next packet to be written; its file is decided.
  private var current: QueuedPacket?
  /// Time of the latest packet.
  private var time = MediaTime.zero
  private var isCheckDue = false
  private var isFlushDue = false
  private var now = MonotonicTime(nanoseconds: 0)
  private var actions: [Action] = []

  /// The file begins once all of `tracks` are known.
  package init(_ destination: Recorder.Destination, tracks: Set<TrackKind>, settings: RecorderSettings) {
    self.destination = destination
    self.settings = settings
    expected = tracks
    disk = RecordingDisk(settings.disk)
    files = RecordingFiles(destination)
  }

  package var isFinished: Bool { state == .finished }

  /// Whether the machine accepts a packet or a request from the queue.
  package var takesMedia: Bool {
    switch state {
    case .gathering: true
    case .idle: current == nil && waiting.isEmpty
    case .busy, .finishing, .finished: false
    }
  }

  package mutating func handle(_ event: Event, at now: MonotonicTime) -> [Action] {
    self.now = now
    react(to: event)
    while advance() {}
    defer { actions = [] }
    return actions
  }

  private mutating func react(to event: Event) {
    switch event {
    case .track(let track): announced(track)
    case .packet(let packet, let standstill):
      waiting.append(QueuedPacket(packet: packet, standstill: standstill))
    case .flushRequested:
      guard takesMedia else { return }
      waiting += change.release(all: true)
      if waiting.isEmpty || state == .gathering { flush() } else { isFlushDue = true }
    case .finishRequested: disk.mediaEnded()
    case .drained: drained()
    case .timerFired(.retry): break
    case .timerFired(.check):
      isCheckDue = true
      actions.append(.setTimer(.check, after: Self.checkInterval))
    case .timerFired(.sync):
      if files.current.isOpen, !disk.isSuspended, let number = disk.beginSync(at: now) {
        files.syncBegan()
        actions.append(.synchronize(number))
      } else {
        actions.append(.setTimer(.sync, after: settings.syncEvery))
      }
    case .synchronized(let number, let failure):
      guard let (since, counts) = disk.synchronized(number, failure) else { return }
      if counts { syncEnded(failure) }
      actions.append(.setTimer(.sync, after: max(.zero, since + settings.syncEvery - now)))
    case .previousFinished(let number, let event): if files.previousFinished(number) { report(event) }
    // The outcomes of the operation under way; others are ignored.
    case .measured(let free, let hasFile):
      if case .busy(.measuring(let measurement)) = state { measured(measurement, free, hasFile) }
    case .opened(let path, let known):
      guard case .busy(.opening(let opening, let origin, let reason)) = state else { return }
      state = .idle
      if case .continuing = opening { disk.fileReopened() }
      for loss in files.opened(opening, at: path, origin: origin, known, tracks) { report(.lost(loss)) }
      if case .part = opening { report(.continuedElsewhere(path: path, reason: reason)) }
    case .written(let bytes):
      if case .busy(.writing(let packet, let isLate)) = state { written(packet, isLate, bytes) }
    case .flushed:
      guard case .busy(.flushing) = state else { return }
      state = .idle
      files.allSynced()
      report(.flushed)
    case .closed(let bytes):
      guard case .busy(.closing(let closing)) = state else { return }
      if closing == .end { actions.append(.publish(bytes: files.bytesBefore + bytes)) }
      report(.finished(path: files.current.path, bytes: bytes))
      files.allSynced()
      if closing == .end, files.current.distrust != nil, let failure = disk.takeSyncFailure() ?? disk.failure
      {
        report(.failed(failure, bytes: files.current.bytes))
      }
      proceed(after: closing)
    case .operationFailed(let error):
      if case .busy(let operation) = state { failed(operation, error) }
    }
  }

  private mutating func announced(_ track: Track) {
    guard let index = tracks.firstIndex(where: { $0.kind == track.kind }) else { return tracks.append(track) }
    if state == .gathering { tracks[index] = track } else { change.announce(track, instead: tracks) }
  }

  private mutating func flush() {
    isFlushDue = false
    if files.current.isOpen { begin(.flushing, .flush) } else { report(.flushed) }
  }

  private mutating func failed(_ operation: Operation, _ error: RecordingError) {
    state = .idle
    switch operation {
    case .measuring(.first): fail(error)
    case .measuring(.regular), .measuring(.retry), .writing(_, isLate: false): diskFailed(error)
    case .writing(_, isLate: true): finishPrevious()
    case .opening(let opening, let origin, let reason): openingFailed(opening, origin, reason, error)
    case .flushing:
      diskFailed(error)
      report(.flushed)
    case .closing(let closing):
      if closing != .full { reportUnsynced(error) }
      // The file is playable without an index.
      report(closing == .end ? .failed(error, bytes: files.current.bytes) : .unfinished(error))
      proceed(after: closing)
    }
  }

  /// False if nothing is left to do before the next event.
  private mutating func advance() -> Bool {
    switch state {
    case .gathering:
      guard !waiting.isEmpty, expected.isSubset(of: tracks.map(\.kind)) else { return false }
      actions.append(.setTimer(.check, after: Self.checkInterval))
      actions.append(.setTimer(.sync, after: settings.syncEvery))
      begin(.measuring(.first), .measure)
      return true
    case .idle: return beginNext()
    case .finishing:
      if let failure = disk.takeSyncFailure() { report(.failed(failure, bytes: files.current.bytes)) }
      if files.areAllFinished, !disk.isSyncing { state = .finished }
      return false
    case .busy, .finished: return false
    }
  }

  private mutating func begin(_ operation: Operation, _ action: Action) {
    state = .busy(operation)
    actions.append(action)
  }

  private mutating func beginNext() -> Bool {
    if isCheckDue {
      isCheckDue = false
      if !disk.isSuspended { checkDisk() }
      return true
    }
    guard let packet = current else {
      guard !waiting.isEmpty else {
        if isFlushDue { flush() }
        return state != .idle
      }
      place(waiting.removeFirst())
      return true
    }
    let readiness = disk.readiness(at: now, isFileOpen: files.current.isOpen)
    switch readiness {
    case .suspended: return false
    case .retryDue: begin(.measuring(.retry), .measure)
    case .ready where files.accepts(packet.packet): write(packet, isLate: false)
    case .ready, .ended:
      current = nil
      let needsKeyframe = readiness == .ready && files.awaitsKeyframe(packet.packet)
      actions.append(.lose(packet.packet, needsKeyframe: needsKeyframe))
    }
    return true
  }

  private mutating func report(_ event: Recorder.Event) { actions.append(.report(event)) }

  private mutating func place(_ packet: QueuedPacket) {
    switch change.place(packet, of: tracks) {
    case .regular: reportUnplaced()
    case .held: return waiting = change.release() + waiting
    case .lost: return
    case .cut: return beginFile(with: packet)
    }
    current = packet
    let placement = files.placement(of: packet.packet)
    if placement.isLate { return write(packet, isLate: true) }
    if placement.endsPrevious { finishPrevious() }
    time = packet.packet.decodeTime
    let isCutPoint = packet.packet.track == (tracks.hasVideo ? .video : .audio) && packet.packet.isKeyframe
    guard isCutPoint, !disk.isSuspended, files.isFull(at: time, settings.segment) else { return }
    finishPrevious()
    open(.next, origin: time)
  }

  /// Other headers need another file.
  private mutating func beginFile(with packet: QueuedPacket) {
    current = packet
    time = packet.packet.decodeTime
    tracks = change.begin(at: time, instead: tracks)
    reportUnplaced()
    finishPrevious()
    guard files.current.isOpen, !disk.isSuspended else { return files.retire(Self.otherHeaders) }
    open(.next, origin: time, reason: Self.otherHeaders)
  }

  private static let otherHeaders = "the source sends another format or other headers"

  private mutating func reportUnplaced(atEnd: Bool = false) {
    for loss in change.takeLosses(atEnd: atEnd) { report(.lost(loss)) }
  }

  private mutating func write(_ packet: QueuedPacket, isLate: Bool) {
    begin(.writing(packet, isLate: isLate), .write(files.shifted(packet, isLate: isLate), isLate: isLate))
  }

  private mutating func written(_ packet: QueuedPacket, _ isLate: Bool, _ bytes: Int) {
    state = .idle
    current = nil
    if isLate { return }
    let (isFirst, isAfterStandstill) = files.written(packet, bytes: bytes)
    actions.append(.publish(bytes: files.bytes))
    perform(disk.written(at: now))
    // A standstill moves media time against the file's time.
    if isAfterStandstill { note() }
    if isFirst { report(.opened(path: files.current.path)) }
  }

  private mutating func checkDisk() {
    if let failure = disk.takeSyncFailure() { return diskFailed(failure) }
    begin(.measuring(.regular), .measure)
  }

  private mutating func drained() {
    switch state {
    case .gathering where !waiting.isEmpty && !tracks.isEmpty: expected = []
    // A broadcast that never went live leaves no file, but an existing one is finished.
    case .gathering: if destination.isContinued { close(.end) } else { state = .finished }
    case .idle where takesMedia:
      let held = change.release(all: true)
      guard held.isEmpty else { return waiting = held }
      reportUnplaced(atEnd: true)
      finishPrevious()
      if files.current.isOpen { return close(.end) }
      if let failure = disk.failure {
        reportUnsynced(failure)
        report(.failed(failure, bytes: files.current.bytes))
      }
      state = .finishing
    case .idle, .busy, .finishing, .finished: break
    }
  }

  /// Fails before anything was written.
  private mutating func fail(_ error: RecordingError) {
    report(.failed(error, bytes: 0))
    state = .finished
  }

  private mutating func measured(_ measurement: Measurement, _ free: Int, _ hasFile: Bool) {
    state = .idle
    let path = files.current.path
    if measurement == .first, settings.disk.isReached(by: free), !settings.waitsForRoom {
      return fail(.reserveReached(at: path))
    }
    if measurement == .regular, files.current.isOpen, !hasFile {
      return diskFailed(RecordingError(path: path, SystemError.missing(path)))
    }
    if measurement != .first || settings.waitsForRoom {
      perform(disk.measured(free: free, bytes: files.bytes, path: path, at: now), hasFile: hasFile)
    }
    if measurement == .first, !disk.isSuspended { openFirst() }
  }

  private mutating func diskFailed(_ error: RecordingError) {
    if error.code == EFBIG, files.isWorthSuccessor {
      return close(.replaced(reason: "the file system does not allow larger files"))
    }
    if error.isOfSync { distrust(error) }
    perform(disk.failed(error, at: now))
  }

  /// A further sync would succeed though data may be lost, so the file is not continued.
  private mutating func distrust(_ error: RecordingError) {
    if error.path == files.current.path { files.distrust(error) }
  }

  private mutating func syncEnded(_ failure: RecordingError?) {
    guard let failure else { return files.syncEnded() }
    distrust(failure)
    // The disk counts as failed once the operation under way is over.
    isCheckDue = true
  }

  /// What a file that is not opened again may lack. A full disk has all that was written.
  private mutating func reportUnsynced(_ error: RecordingError) {
    if !error.isOutOfSpace { for loss in files.unsynced { report(.lost(loss)) } }
    files.allSynced()
  }

  private mutating func perform(_ actions: [DiskGuard.Action], hasFile: Bool = false) {
    for action in actions {
      switch action {
      case .report(let state): report(.disk(state))
      case .finishFile: if files.current.isOpen { close(.full) }
      case .retry(let wait): self.actions.append(.setTimer(.retry, after: wait))
      case .resume:
        if files.current.condition == .unopened { return openFirst() }
        switch (files.current.distrust, isOpen: files.current.isOpen, hasFile: hasFile) {
        case (let reason?, true, true): return close(.replaced(reason: reason))
        case (let reason?, false, _): return openPart(reason)
        // The same file accepts writes again.
        case (nil, true, true): return
        // What another mount shows of a file that is not trusted is on the disk.
        case (_, true, false), (nil, false, _): files.trust()
        }
        files.close()
        open(.continuing(files.current.path), origin: time)
      }
    }
  }

  private mutating func openFirst() {
    if destination.isContinued { note() }
    let path = destination.path
    open(destination.isContinued ? .continuing(path) : .new(path), origin: destination.origin)
  }

  private mutating func open(_ opening: Opening, origin: MediaTime, reason: String = "") {
    files.prepare(opening, at: current ?? waiting.first)
    begin(.opening(opening, origin: origin, reason: reason), .open(opening, tracks, origin: origin))
  }

  private mutating func openPart(_ reason: String) {
    open(.part(of: files.current.path), origin: time, reason: reason)
  }

  private mutating func openingFailed(
    _ opening: Opening, _ origin: MediaTime, _ reason: String, _ error: RecordingError
  ) {
    let isFirst = files.current.condition == .unopened
    switch opening {
    case .next where !reason.isEmpty:
      files.retire(reason)
      diskFailed(error)
    case .next:
      // The current file continues; the next keyframe is another chance to cut.
      note()
      report(.unfinished(error))
    case .continuing(let path) where isFirst || error.isOfTheFile:
      open(.part(of: path), origin: origin, reason: error.what)
    case .new, .continuing, .part:
      let isWaitedFor = settings.waitsForRoom && (error.code != nil || !disk.isWriting)
      if isFirst, !isWaitedFor { fail(error) } else { diskFailed(error) }
    }
  }

  private mutating func close(_ closing: Closing) {
    files.close()
    begin(.closing(closing), .close(path: files.current.path))
  }

  private mutating func proceed(after closing: Closing) {
    switch closing {
    case .full: state = .idle
    case .replaced(let reason): openPart(reason)
    case .end: state = .finishing
    }
  }

  private mutating func finishPrevious() {
    if let number = files.endPrevious() { actions.append(.finishPrevious(number)) }
  }

  /// Notes the file's origin in the journal, adjusted for all standstills so far.
  private mutating func note() {
    actions.append(.journal(path: files.current.path, tracks, origin: files.shiftedOrigin))
  }
}
