internal import HoldfastMP4
internal import HoldfastMediaModel
internal import HoldfastPlatform

/// What a recorder's thread does: takes packets from the queue, writes them to the recording's file, waits while the disk
/// takes nothing, and goes on.
struct RecorderRun: ~Copyable {
  let place: Recorder.Place
  let settings: RecorderSettings
  let surroundings: RecorderSurroundings
  let queue: RecorderQueue
  let disk: DiskWatch
  let worker: DiskWorker
  let report: @Sendable (Recorder.Event) -> Void
  private let lose: (MediaPacket) -> Void
  private let count: (Int) -> Void

  var tracks: [Track] = []
  /// The file that is written; nil before the first one, and while the disk has no room.
  var file: RecordingFile?
  /// The one before, which sound from before the cut may still belong to, and where that was.
  private var previous: RecordingFile?
  private var cut = MediaTime.zero
  /// Where the recording is, and what lies at 0 in its file.
  var path: String
  var origin: MediaTime
  /// The disk that the recording was begun on.
  var home: UInt64?
  var isBegun = false
  /// When the disk is tried again; nil where it needn't be.
  var due: MonotonicTime?
  /// What it refused last.
  var trouble: (any Error)?
  /// Where the next packet lies, and where each track ends in the file, on the media time line.
  var next = MediaTime.zero
  var ends: [TrackKind: MediaTime] = [:]
  /// How long the broadcast stood still in all, and before the file's beginning.
  var standstill = MediaTime.zero
  var standstillBefore = MediaTime.zero
  /// Where the file began, for how long it gets.
  var fileStart: MediaTime?
  var fileBytes = 0
  /// What comes can't be decoded before there is one.
  var needsKeyframe = false
  /// The recording ends, and the disk has been tried once more for it.
  var hasTriedAtEnd = false
  private var nextLook = MonotonicTime.now + lookInterval
  /// In the files that the recording has left.
  var bytesBefore = 0
  private var rate = 0.0
  private var measured = (bytes: 0, at: MonotonicTime.now)

  private static let lookInterval = MediaTime.seconds(1)
  /// Sound is so much later than pictures at most.
  private static let longestOverlap = MediaTime.seconds(1)

  init(
    _ place: Recorder.Place, _ settings: RecorderSettings, _ surroundings: RecorderSurroundings,
    queue: RecorderQueue, disk: DiskWatch, report: @escaping @Sendable (Recorder.Event) -> Void,
    lose: @escaping (MediaPacket) -> Void, count: @escaping (Int) -> Void
  ) throws {
    let worker = try DiskWorker { path, result in
      switch result {
      case .success(let bytes): report(.finished(path: path, bytes: bytes))
      case .failure(let error): report(.unfinished(RecordingError(path: path, error)))
      }
    }
    self.worker = worker
    self.place = place
    self.settings = settings
    self.surroundings = surroundings
    self.queue = queue
    self.disk = disk
    self.report = report
    self.lose = lose
    self.count = count
    path = place.path
    origin = place.fileOrigin
  }

  mutating func run(_ expected: Set<TrackKind>) {
    let early = waitForTracks(expected)
    // What never was live leaves nothing.
    if tracks.isEmpty || early.isEmpty {
      finishUnchanged()
    } else {
      do {
        try openFirst()
        for packet in early { write(packet) }
        takeAll()
        finish()
      } catch {
        queue.close()
        report(.failed(RecordingError(path: path, error), bytes: 0))
      }
    }
    worker.join()
  }

  private mutating func takeAll() {
    while true {
      if let item = queue.take(until: nextLook) {
        switch item {
        case .packet(let packet): write(packet)
        case .pause: flush()
        case .track: break
        }
      } else if queue.isClosed {
        return
      }
      if nextLook <= .now { look() }
    }
  }

  /// The packets that came before the last of the tracks and the first one behind it.
  private mutating func waitForTracks(_ expected: Set<TrackKind>) -> [MediaPacket] {
    var early: [MediaPacket] = []
    while let item = queue.take(until: nil) {
      switch item {
      case .track(let track): tracks.append(track)
      case .packet(let packet): early.append(packet)
      case .pause: report(.paused)
      }
      if !early.isEmpty, expected.isSubset(of: tracks.map(\.kind)) { break }
    }
    return early
  }

  // MARK: - Packets

  private mutating func write(_ packet: MediaPacket) {
    if previous != nil, writeToPrevious(packet) { return }
    next = packet.decodeTime
    if isCutDue(before: packet) { beginNextFile(with: packet) }
    while waitForDisk() {
      // A file that the disk has made us begin begins with a keyframe.
      if needsKeyframe, packet.track == .video, !packet.isKeyframe {
        surroundings.requestKeyframe()
        break
      }
      do {
        return try attempt(packet)
      } catch {
        refuse(error)
      }
    }
    lose(packet)
  }

  private mutating func attempt(_ packet: MediaPacket) throws {
    let before = surroundings.standstill(packet.presentationTime)
    try file?.write(packet, standstill: before)
    if packet.track == .video { needsKeyframe = false }
    fileStart = fileStart ?? packet.decodeTime
    ends[packet.track] = packet.decodeTime + packet.duration
    fileBytes = file?.bytesWritten ?? fileBytes
    count(bytesBefore + fileBytes)
    act(on: .succeeded)
    note(before)
    guard file?.isTold == false else { return }
    file?.isTold = true
    report(.opened(path: path))
  }

  /// Where the broadcast stood still, its time has moved against the file's.
  private mutating func note(_ before: MediaTime) {
    guard before > standstill else { return }
    standstill = before
    surroundings.begin(path, tracks, shiftedOrigin)
  }

  /// What lies here on the media time line would be at 0 in the file, had the broadcast always stood still as long as by now.
  var shiftedOrigin: MediaTime { origin - (standstill - standstillBefore) }

  // MARK: - Several files

  /// Files begin with a keyframe of the picture.
  private func isCutDue(before packet: MediaPacket) -> Bool {
    let leader: TrackKind = tracks.contains { $0.kind == .video } ? .video : .audio
    guard packet.track == leader, packet.isKeyframe, due == nil, let fileStart,
      let segment = settings.segment
    else { return false }
    switch segment {
    case .duration(let length): return packet.decodeTime - fileStart >= length
    case .size(let size): return fileBytes >= size
    }
  }

  private mutating func beginNextFile(with packet: MediaPacket) {
    guard let next = surroundings.nextPath() else { return }
    do {
      var opened: RecordingFile? = try make(next, origin: packet.decodeTime)
      finishPrevious()
      bytesBefore += fileBytes
      previous = file.take()
      cut = packet.decodeTime
      (path, origin) = (next, packet.decodeTime)
      standstillBefore = standstill
      fileStart = nil
      file = opened.take()
    } catch {
      // The file that there is goes on: the next keyframe is another chance.
      surroundings.begin(path, tracks, shiftedOrigin)
      report(.unfinished(RecordingError(path: next, error)))
    }
  }

  /// Sound that was captured before the cut. False where the packet belongs behind it.
  private mutating func writeToPrevious(_ packet: MediaPacket) -> Bool {
    guard packet.presentationTime + MediaTime(nanoseconds: packet.duration.nanoseconds / 2) < cut else {
      if packet.track == .audio || packet.decodeTime > cut + Self.longestOverlap { finishPrevious() }
      return false
    }
    return (try? previous?.write(packet, standstill: surroundings.standstill(packet.presentationTime))) != nil
  }

  private mutating func finishPrevious() {
    if let file = previous.take() { worker.finish(file) }
  }

  // MARK: - The end

  private mutating func flush() {
    do { try file?.flush() } catch { refuse(error) }
    report(.paused)
  }

  private mutating func finish() {
    finishPrevious()
    guard var last = file.take() else {
      // What was written is whole.
      if let trouble { report(.failed(RecordingError(path: path, trouble), bytes: fileBytes)) }
      return
    }
    do {
      let bytes = try last.finish()
      count(bytesBefore + bytes)
      report(.finished(path: path, bytes: bytes))
    } catch {
      report(.failed(RecordingError(path: path, error), bytes: last.bytesWritten))
    }
  }

  /// Nothing has come that could be added: what there is is left whole.
  private func finishUnchanged() {
    guard case .continuing(let path, _, _, _) = place else { return }
    do {
      report(.finished(path: path, bytes: try FragmentedFile.finish(path)))
    } catch {
      report(.failed(RecordingError(path: path, error), bytes: 0))
    }
  }

  // MARK: - Now and then

  /// How fast the recording has grown since the last question.
  mutating func bytesPerSecond() -> Int {
    let (now, bytes) = (MonotonicTime.now, bytesBefore + fileBytes)
    let before = measured
    measured = (bytes, now)
    // A file that has just begun tells nothing. A second with a keyframe is much larger than one without.
    guard before.bytes > 0, now - before.at >= .milliseconds(500) else { return Int(rate) }
    let latest = Double(max(0, bytes - before.bytes)) / (now - before.at).seconds
    rate += (latest - rate) / (rate == 0 ? 1 : 30)
    return Int(rate)
  }

  private mutating func look() {
    let now = MonotonicTime.now
    nextLook = now + Self.lookInterval
    guard due == nil else { return }
    if let failure = worker.takeFailure() { return refuse(failure) }
    if file?.isGone == true { return refuse(SystemError.missing(path)) }
    if let hold = file?.holdForSync(every: settings.syncEvery, at: now) { worker.synchronize(hold) }
    measure()
  }
}
