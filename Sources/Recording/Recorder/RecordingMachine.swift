internal import Glibc
package import HoldfastMediaModel
internal import HoldfastPlatform

/// Decides what becomes of a recording's packets and files: a value without clock or I/O, events in, actions out.
///
/// One thing is under way at a time: until it is answered no packet is taken.
package struct RecordingMachine: Sendable {
  enum State: Hashable {
    /// The tracks are awaited, and the first packet.
    case gathering
    /// Nothing is under way. The next packet is taken, or one waits for the disk.
    case idle
    case measuring(Measurement)
    case opening(Opening, origin: MediaTime, why: String)
    case writing(isLate: Bool)
    case flushing
    case closing(Closing)
    /// The last file is being finished, or those before it still are.
    case finishing(isClosed: Bool)
    case finished
  }

  enum Measurement: Hashable { case first, regular, retry }

  enum Closing: Hashable {
    /// The disk has no room: the file is one that needs nothing more.
    case full
    /// The disk's files can't be larger.
    case tooLarge
  }

  /// A file that is written, or was before the disk refused it.
  struct File: Sendable {
    enum Condition: Hashable { case unopened, open, closed }

    var path: String
    /// What lies here on the media time line is at 0 in it.
    var origin: MediaTime
    /// How long the broadcast stood still before it, which is not kept in it.
    var standstillBefore = MediaTime.zero
    var condition = Condition.unopened
    /// Where it begins, for how long it gets.
    var start: MediaTime?
    var bytes = 0
    /// It has been reported that it can be played.
    var isReported = false
    var nextSync: MonotonicTime?

    /// `packet` at its time in the file, where the broadcast stood still for as long as `standstill` before it, in all.
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
    /// It has been decided which file it belongs to.
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
  /// The one before, to which sound from before the cut may still belong.
  var previous: (file: File, cut: MediaTime)?
  /// Files that are being finished beside.
  private var unfinished = 0
  /// Where the latest packet lies, and where each track ends in the file, on the media time line.
  var next = MediaTime.zero
  var ends: [TrackKind: MediaTime] = [:]
  /// How long the broadcast stood still in all.
  var standstill = MediaTime.zero
  /// In the files that the recording has left.
  var bytesBefore = 0
  /// What comes can't be decoded before there is one.
  var needsKeyframe = false
  /// What the disk refused last.
  var trouble: RecordingError?
  var syncFailure: RecordingError?
  private var isSynchronizing = false
  private var isCheckDue = false
  private var isPausing = false
  /// What is taken now is the last.
  var isEnding = false
  private var isDrained = false
  /// What has come of trying a disk that refuses once more at the end; nil before.
  var hasTakenAtEnd: Bool?
  var growth = Growth()

  static let checkInterval = MediaTime.seconds(1)
  /// Sound is so much later than pictures at most.
  private static let longestOverlap = MediaTime.seconds(1)

  /// The file begins when all of `tracks` have said what they are.
  package init(_ place: Recorder.Place, tracks: Set<TrackKind>, settings: RecorderSettings) {
    self.place = place
    self.settings = settings
    expected = tracks
    disk = DiskGuard(settings.disk)
    file = File(path: place.path, origin: place.fileOrigin)
  }

  package var isFinished: Bool { state == .finished }

  /// The next packet, or request among the packets, may come.
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

  /// Takes the next step, where nothing is under way; false where there is none to take.
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
    // What never was live leaves nothing, and what was before it is left whole.
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
        // Whatever the disk may take now, it is asked once.
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
    // A file that the disk has made us begin begins with a keyframe.
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

  /// When a disk that refuses is asked again; nil where it takes what comes.
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

  /// Files begin with a keyframe of the picture.
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
    // Where the broadcast stood still, its time has moved against the file's.
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
    // What was written is whole.
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

  /// Where the file begins, for the journal: what lies there on the media time line would be at 0 in the file, had the
  /// broadcast always stood still as long as by now.
  mutating func note() {
    actions.append(.note(path: file.path, tracks, origin: shiftedOrigin))
  }

  var shiftedOrigin: MediaTime { file.origin - (standstill - file.standstillBefore) }
}
