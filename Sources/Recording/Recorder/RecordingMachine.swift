import Glibc
package import HoldfastMediaModel
import HoldfastPlatform

/// Decides what to do with a recording's packets and files: a value without clock or I/O, events in, actions
/// out.
///
/// Only one operation is under way at a time; no packet is taken until it is answered.
package struct RecordingMachine: Machine {
  enum State: Hashable {
    /// Waiting for all tracks and the first packet.
    case gathering
    /// No operation is under way.
    case idle
    case measuring(Measurement)
    case opening(Opening, origin: MediaTime, why: String)
    case writing(isLate: Bool)
    case flushing
    case closing(Closing)
    case finishing(isClosed: Bool)
    case finished
  }

  enum Measurement: Hashable { case first, regular, retry }

  enum Closing: Hashable {
    /// The disk is full; the file is finished.
    case full
    /// The file has the maximum size of its file system.
    case tooLarge
  }

  /// A file that is written, or was when the disk failed.
  struct File: Sendable {
    enum Condition: Hashable { case unopened, open, closed }

    var path: String
    /// Media time that is 0 in the file.
    var origin: MediaTime
    /// Standstill before the file, which is not kept in it.
    var standstillBefore = MediaTime.zero
    var condition = Condition.unopened
    /// Start of the segment.
    var start: MediaTime?
    var bytes = 0
    var isReported = false
    var nextSync: MonotonicTime?

    /// `packet` at its time in the file; `standstill` is the duration of all standstills before it.
    func shifted(_ packet: MediaPacket, _ standstill: MediaTime) -> MediaPacket {
      let shift = standstill - standstillBefore - origin
      var packet = packet
      packet.decodeTime += shift
      packet.presentationTime += shift
      return packet
    }
  }

  struct Waiting: Sendable {
    let packet: MediaPacket
    let standstill: MediaTime
    /// The file for the packet is decided.
    var isPlaced = false
  }

  let settings: RecorderSettings
  private let expected: Set<TrackKind>
  let place: Recorder.Place
  var state = State.gathering
  var disk: DiskGuard
  var now = MonotonicTime(nanoseconds: 0)
  var actions: [Action] = []

  var tracks: [Track] = []
  var waiting: [Waiting] = []
  var file: File
  /// The file before the cut, to which late sound may belong.
  var previous: (file: File, cut: MediaTime)?
  private var unfinished = 0
  /// Time of the latest packet; `ends` are the track ends in the file. Both are media time.
  var next = MediaTime.zero
  var ends: [TrackKind: MediaTime] = [:]
  /// Duration of all standstills.
  var standstill = MediaTime.zero
  /// Size of all earlier files.
  var bytesBefore = 0
  /// Video is not decodable before the next keyframe.
  var needsKeyframe = false
  var trouble: RecordingError?
  var syncFailure: RecordingError?
  private var isSynchronizing = false
  private var isCheckDue = false
  private var isPausing = false
  var isEnding = false
  private var isDrained = false
  /// Whether a failing disk accepted a packet at the end; nil before the last attempt.
  var hasTakenAtEnd: Bool?
  var growth = Growth()

  static let checkInterval = MediaTime.seconds(1)
  private static let longestOverlap = MediaTime.seconds(1)

  /// The file begins once all of `tracks` are known.
  package init(_ place: Recorder.Place, tracks: Set<TrackKind>, settings: RecorderSettings) {
    self.place = place
    self.settings = settings
    expected = tracks
    disk = DiskGuard(settings.disk)
    file = File(path: place.path, origin: place.fileOrigin)
  }

  package var isFinished: Bool { state == .finished }

  /// Whether the machine accepts a packet or a request from the queue.
  package var takesMedia: Bool {
    switch state {
    case .gathering: true
    case .idle: waiting.isEmpty
    case .measuring, .opening, .writing, .flushing, .closing, .finishing, .finished: false
    }
  }

  package mutating func handle(_ event: Event, at now: MonotonicTime) -> [Action] {
    self.now = now
    react(to: event)
    while step() {}
    defer { actions = [] }
    return actions
  }

  private mutating func react(to event: Event) {
    switch event {
    case .track(let track): tracks.append(track)
    case .packet(let packet, let standstill): waiting.append(Waiting(packet: packet, standstill: standstill))
    case .pauseRequested: isPausing = true
    case .finishRequested: isEnding = true
    case .drained: isDrained = true
    case .timerFired(.retry): break
    case .timerFired(.check):
      isCheckDue = true
      actions.append(.setTimer(.check, after: Self.checkInterval))
    case .synchronized(let failure):
      isSynchronizing = false
      syncFailure = failure ?? syncFailure
    case .finishedBeside(let path, let result):
      unfinished -= 1
      switch result {
      case .success(let bytes): report(.finished(path: path, bytes: bytes))
      case .failure(let error): report(.unfinished(error))
      }
    case .measured(let free, let hasFile): measured(free, hasFile)
    case .opened(let path, let ends): opened(path, ends)
    case .written(let bytes): written(bytes)
    case .flushed: flushed()
    case .closed(let bytes): closed(bytes)
    case .refused(let error): refused(error)
    }
  }

  private mutating func step() -> Bool {
    switch state {
    case .gathering: return gather()
    case .idle: return beginNext()
    case .finishing(isClosed: true) where unfinished == 0:
      state = .finished
      return false
    case .measuring, .opening, .writing, .flushing, .closing, .finishing, .finished: return false
    }
  }

  private mutating func gather() -> Bool {
    if isPausing { paused() }
    if !waiting.isEmpty, expected.isSubset(of: tracks.map(\.kind)) || isDrained && !tracks.isEmpty {
      state = .measuring(.first)
      actions += [.setTimer(.check, after: Self.checkInterval), .measure]
      return true
    }
    guard isDrained else { return false }
    // A broadcast that never went live leaves no file, but an existing one is finished.
    switch place {
    case .new: state = .finished
    case .continuing: close(.finishing(isClosed: false))
    }
    return false
  }

  private mutating func beginNext() -> Bool {
    if isCheckDue {
      isCheckDue = false
      if retryTime == nil { checkDisk() }
      return true
    }
    if let next = waiting.first { return advance(next) }
    if isPausing {
      guard file.condition == .open else {
        paused()
        return true
      }
      state = .flushing
      actions.append(.flush)
      return true
    }
    if isDrained { finish() }
    return isDrained
  }

  // MARK: - Packets

  private mutating func advance(_ next: Waiting) -> Bool {
    guard next.isPlaced else {
      waiting[0].isPlaced = true
      place(next)
      return true
    }
    if let retryTime {
      if isEnding {
        // One last attempt, whatever the disk accepts.
        guard hasTakenAtEnd == nil else { return lose() }
        hasTakenAtEnd = false
      } else if now < retryTime {
        return false
      } else {
        state = .measuring(.retry)
        actions.append(.measure)
        return true
      }
    }
    guard file.condition == .open else { return lose() }
    // A further file after a failure begins with a keyframe.
    if needsKeyframe, next.packet.track == .video, !next.packet.isKeyframe {
      return lose(needsKeyframe: true)
    }
    state = .writing(isLate: false)
    actions.append(.write(file.shifted(next.packet, next.standstill), isLate: false))
    return true
  }

  private mutating func lose(needsKeyframe: Bool = false) -> Bool {
    actions.append(.lose(waiting.removeFirst().packet, needsKeyframe: needsKeyframe))
    return true
  }

  /// When to retry a failing disk; nil if it accepts writes.
  var retryTime: MonotonicTime? {
    guard case .holding(_, let until) = disk.state, hasTakenAtEnd != true else { return nil }
    return until
  }

  private mutating func place(_ next: Waiting) {
    let packet = next.packet
    if let (file, cut) = previous {
      guard packet.presentationTime + MediaTime(nanoseconds: packet.duration.nanoseconds / 2) >= cut else {
        state = .writing(isLate: true)
        actions.append(.write(file.shifted(packet, next.standstill), isLate: true))
        return
      }
      if packet.track == .audio || packet.decodeTime > cut + Self.longestOverlap { finishPrevious() }
    }
    self.next = packet.decodeTime
    if isCutDue(before: packet) {
      finishPrevious()
      open(.next, origin: packet.decodeTime)
    }
  }

  private func isCutDue(before packet: MediaPacket) -> Bool {
    guard packet.track == (hasVideo ? .video : .audio), packet.isKeyframe, retryTime == nil,
      let start = file.start, let segment = settings.segment
    else { return false }
    switch segment {
    case .duration(let length): return packet.decodeTime - start >= length
    case .size(let size): return file.bytes >= size
    }
  }

  var hasVideo: Bool { tracks.contains { $0.kind == .video } }

  private mutating func written(_ bytes: Int) {
    guard case .writing(let isLate) = state else { return }
    state = .idle
    let done = waiting.removeFirst()
    if isLate { return }
    let packet = done.packet
    if packet.track == .video { needsKeyframe = false }
    if hasTakenAtEnd != nil { hasTakenAtEnd = true }
    file.start = file.start ?? packet.decodeTime
    file.bytes = bytes
    ends[packet.track] = packet.decodeTime + packet.duration
    actions.append(.publish(bytes: bytesBefore + bytes))
    act(on: .succeeded)
    // A standstill moves media time against the file's time.
    if done.standstill > standstill {
      standstill = done.standstill
      note()
    }
    guard !file.isReported else { return }
    file.isReported = true
    report(.opened(path: file.path))
  }

  mutating func finishPrevious() {
    guard previous.take() != nil else { return }
    unfinished += 1
    actions.append(.finishPrevious)
  }

  // MARK: - Pauses, checks, the end

  private mutating func flushed() {
    guard case .flushing = state else { return }
    state = .idle
    paused()
  }

  mutating func paused() {
    isPausing = false
    report(.paused)
  }

  private mutating func checkDisk() {
    if let failure = syncFailure.take() { return refuse(failure) }
    if file.condition == .open, !isSynchronizing, file.nextSync.map({ $0 <= now }) ?? true {
      file.nextSync = now + settings.syncEvery
      isSynchronizing = true
      actions.append(.synchronize)
    }
    state = .measuring(.regular)
    actions.append(.measure)
  }

  private mutating func finish() {
    finishPrevious()
    if file.condition == .open { return close(.finishing(isClosed: false)) }
    if let trouble { report(.failed(trouble, bytes: file.bytes)) }
    state = .finishing(isClosed: true)
  }

  mutating func close(_ state: State) {
    self.state = state
    file.condition = .closed
    actions.append(.close(path: file.path))
  }

  mutating func report(_ event: Recorder.Event) {
    actions.append(.report(event))
  }

  /// Notes the file's origin in the journal, adjusted for all standstills so far.
  mutating func note() {
    actions.append(.note(path: file.path, tracks, origin: shiftedOrigin))
  }

  var shiftedOrigin: MediaTime { file.origin - (standstill - file.standstillBefore) }
}
