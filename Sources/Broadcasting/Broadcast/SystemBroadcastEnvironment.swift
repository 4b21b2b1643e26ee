import HoldfastFFmpeg
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastPublishing
import HoldfastRecording

/// The production environment of a broadcast: its lanes, outputs, recorder and journal.
struct SystemBroadcastEnvironment: BroadcastEnvironment {
  let factory: BroadcastFactory
  let inbox: Inbox<BroadcastMachine.Event>
  let observer: @Sendable (Broadcast.Observation) -> Void
  let parent: @Sendable (BroadcastAnswer) -> Void
  private var parts: BroadcastParts?
  /// Watches for changes of links, addresses and routes.
  private var network: StoppableThread?
  private var rates = RateMeter()
  private var processors = IdleProcessors()
  private var isClosed = false

  init(
    _ factory: BroadcastFactory, _ inbox: Inbox<BroadcastMachine.Event>,
    observe: @escaping @Sendable (Broadcast.Observation) -> Void,
    answer: @escaping @Sendable (BroadcastAnswer) -> Void
  ) {
    self.factory = factory
    self.inbox = inbox
    observer = observe
    parent = answer
  }

  mutating func open() {
    silenceFFmpeg()
    do {
      let parts = try factory.open()
      self.parts = parts
      if !parts.outputs.isEmpty, let watcher = try? NetworkWatcher() {
        network = try? StoppableThread(name: "network") { [inbox] stop in
          try? watcher.watch(until: stop) { inbox.post(.networkChanged) }
        }
      }
      try parts.start(isPaused: factory.resumed != nil)
      inbox.post(.opened)
    } catch {
      inbox.post(.openingFailed(error as? BroadcastError ?? .system("\(error)")))
    }
  }

  func command(_ command: MediaCommand, at now: MonotonicTime) {
    switch command {
    case .run: parts?.timeline.run(from: now)
    case .pauseWithoutPicture: parts?.timeline.pauseWithoutPicture()
    }
  }

  func pauseMedia(at now: MonotonicTime) -> MediaStart? { parts?.timeline.pause(at: now) }

  func command(_ command: OutputCommand) {
    for output in parts?.outputs ?? [] {
      switch command {
      case .prepare: output.prepare()
      case .publish: output.publish()
      case .pause: output.pause()
      case .networkChanged: output.networkChanged()
      case .send(let event): output.send(event)
      case .move(let moved, let address): if output.id == moved.rawValue { output.move(to: address) }
      case .limitBitrate(let limits): if !isOfOtherRendition(output.id) { output.limit(limits) }
      }
    }
  }

  /// Its bitrate is not the main one.
  private func isOfOtherRendition(_ output: String) -> Bool {
    factory.configuration.plannedRenditions.contains { $0.id != .main && $0.outputs.contains(output) }
  }

  func flushRecorder() { parts?.recorder?.flush() }

  func request(_ request: EncoderRequest) { parts?.requests.add(request) }

  var watched: Set<RenditionID> { parts?.live?.watched ?? [] }

  func refuseViewers(of rendition: RenditionID, why: String) { parts?.live?.refuse(rendition, why: why) }

  func write(_ entry: JournalEntry, ago: MediaTime, at now: Instant) {
    var instant = JournalInstant.now()
    instant.wall = now.wall - ago
    instant.sinceBoot = now.sinceBoot - ago
    factory.journal?.write(entry, at: instant)
  }

  func report(_ observation: Broadcast.Observation) { observer(observation) }

  mutating func publishSnapshot(
    _ state: Snapshot.State, disk: DiskState, losing: [Gap], _ adaptations: [String: OutputAdaptation],
    at now: MonotonicTime
  ) {
    guard let parts else { return }
    let recorder = parts.recorder
    let renditions = parts.renditions.withLock { $0 }.map { RenditionMeters($0) }
    var snapshot = rates.snapshot(
      parts.meters.take(), renditions, state: state, recordedBytes: recorder?.bytesWritten ?? 0, at: now)
    snapshot.losing = losing
    snapshot.disk = recorder.map { _ in disk }
    snapshot.recordQueue = recorder?.queued ?? .zero
    snapshot.diskRoom = recorder?.room
    recorder?.checkDisk()
    snapshot.outputs = parts.outputs.map {
      OutputStatus(id: $0.id, figures: $0.status, adaptation: adaptations[$0.id])
    }
    observer(.snapshot(snapshot))
  }

  func answer(_ answer: BroadcastAnswer) { parent(answer) }

  mutating func finish() {
    parts?.finish()
    network?.stop()
    inbox.close()
    isClosed = true
  }

  /// After the last event of a closed inbox, returns `finished`.
  func wait(
    for inbox: Inbox<BroadcastMachine.Event>, until deadline: MonotonicTime?
  ) -> BroadcastMachine.Event? {
    if let event = inbox.take(until: deadline) { return event }
    return isClosed ? .finished(mediaTime: encodedUntil) : nil
  }

  var encodedUntil: MediaTime { (parts?.allMeters ?? []).map { $0.take().mediaTime }.max() ?? .zero }

  mutating func load(at now: MonotonicTime) -> EncodingLoad {
    let running = (parts?.renditions.withLock { $0 } ?? []).map { RenditionMeters($0) }
    let shared = running.filter { !$0.id.isOwn && !$0.isForViewers }
    let idle = processors.read(at: now)
    return EncodingLoad(
      encode: shared.map(\.processors).max() ?? 0, encodes: running.map(\.processors).reduce(0, +),
      processors: Double(processors.count), idle: idle,
      isOverloaded: shared.contains(where: \.values.isOverloaded))
  }

  func losses(at now: MonotonicTime) -> [RunningLoss] {
    guard let parts else { return [] }
    let time = parts.timeline.mediaTime(at: now)
    let tracks = parts.allMeters.flatMap { $0.losses(until: time) }
    return tracks.map { RunningLoss($0) } + (parts.recorder?.losses ?? []).map { RunningLoss(TrackLoss($0)) }
      + parts.outputs.compactMap { output in output.status.losing.flatMap { RunningLoss($0, of: output.id) } }
  }

  var undelivered: [String: [TrackKind: MediaTime]] {
    let outputs = parts?.outputs ?? []
    return Dictionary(uniqueKeysWithValues: outputs.map { ($0.id, $0.status.undelivered ?? [:]) })
  }

  func media(at now: MonotonicTime) -> MediaReading {
    guard let parts else { return MediaReading() }
    return MediaReading(
      time: parts.timeline.mediaTime(at: now), isRunning: parts.timeline.start != nil,
      isBehind: parts.isBehind)
  }
}
