internal import HoldfastFFmpeg
internal import HoldfastLifecycle
internal import HoldfastMediaModel
internal import HoldfastPlatform
internal import HoldfastPublishing
internal import HoldfastRecording

/// The program's environment of a broadcast: its lanes, outputs, recorder and journal.
struct BroadcastMedia: BroadcastEnvironment {
  let opening: BroadcastOpening
  let inbox: Inbox<BroadcastMachine.Event>
  let observer: @Sendable (Broadcast.Observation) -> Void
  let parent: @Sendable (BroadcastAnswer) -> Void
  private var parts: BroadcastParts?
  private var network: NetworkChanges?
  private var rates = RateMeter()
  private var isClosed = false

  init(
    _ opening: BroadcastOpening, _ inbox: Inbox<BroadcastMachine.Event>,
    observe: @escaping @Sendable (Broadcast.Observation) -> Void,
    answer: @escaping @Sendable (BroadcastAnswer) -> Void
  ) {
    self.opening = opening
    self.inbox = inbox
    observer = observe
    parent = answer
  }

  mutating func open() {
    silenceFFmpeg()
    do {
      let parts = try opening.open()
      self.parts = parts
      if !parts.outputs.isEmpty { network = try? NetworkChanges { [inbox] in inbox.post(.networkChanged) } }
      try parts.start(isPaused: opening.resumed != nil)
      inbox.post(.opened)
    } catch {
      inbox.post(.openingFailed(error as? BroadcastError ?? .system("\(error)")))
    }
  }

  func runMedia(from now: MonotonicTime) {
    parts?.timeLine.run(from: now)
  }

  func pauseMedia(at now: MonotonicTime) -> MediaStart? {
    parts?.timeLine.pause(at: now)
  }

  func holdMedia() {
    parts?.timeLine.pauseWithoutPicture()
  }

  func command(_ command: OutputCommand) {
    for output in parts?.outputs ?? [] {
      switch command {
      case .pause: output.pause()
      case .resume: output.resume()
      case .networkChanged: output.networkChanged()
      case .send(let event): output.send(event)
      case .limitBitrate(let limits): output.limit(limits)
      }
    }
  }

  func flushRecorder() {
    parts?.recorder?.pause()
  }

  func request(_ request: EncoderRequest) {
    parts?.requests.add(request)
  }

  func write(_ entry: JournalEntry, ago: MediaTime) {
    var instant = JournalInstant.now()
    instant.wall = instant.wall - ago
    instant.sinceBoot = instant.sinceBoot - ago
    opening.journal?.write(entry, at: instant)
  }

  func observe(_ observation: Broadcast.Observation) {
    observer(observation)
  }

  mutating func publishSnapshot(_ state: Snapshot.State, disk: DiskState, at now: MonotonicTime) {
    guard let parts else { return }
    let recorder = parts.recorder
    var snapshot = rates.snapshot(
      parts.meters.take(), state: state, recordedBytes: recorder?.bytesWritten ?? 0, at: now)
    snapshot.disk = recorder.map { _ in disk }
    snapshot.recordQueue = recorder?.queued ?? .zero
    recorder?.checkDisk()
    snapshot.outputs = parts.outputs.map { OutputStatus(id: $0.id, figures: $0.status) }
    observer(.snapshot(snapshot))
  }

  func answer(_ answer: BroadcastAnswer) {
    parent(answer)
  }

  /// Whatever ends it, what was recorded until then is whole.
  mutating func finish() {
    parts?.finish()
    network?.stop()
    inbox.close()
    isClosed = true
  }

  /// Behind the last event of a closed inbox nothing more can come.
  func wait(
    for inbox: Inbox<BroadcastMachine.Event>, until deadline: MonotonicTime?
  ) -> BroadcastMachine.Event? {
    if let event = inbox.take(until: deadline) { return event }
    return isClosed ? .finished(mediaTime: parts?.meters.take().mediaTime ?? .zero) : nil
  }

  var isBehind: Bool { parts?.lanes.contains(where: \.isBehind) ?? false }
  var isMediaRunning: Bool { parts?.timeLine.start != nil }

  func mediaTime(at now: MonotonicTime) -> MediaTime {
    parts?.timeLine.mediaTime(at: now) ?? .zero
  }
}
