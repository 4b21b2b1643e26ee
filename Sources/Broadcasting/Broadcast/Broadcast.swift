internal import HoldfastCapture
internal import HoldfastFFmpeg
internal import HoldfastLifecycle
internal import HoldfastMediaModel
internal import HoldfastPlatform
internal import HoldfastPublishing
internal import HoldfastRecording

/// One broadcast, from its start to its end.
///
/// `run` owns everything that changes, in local variables of its own thread; the lanes, the outputs, the recorder and
/// whoever wants to stop it send events to its inbox.
package final class Broadcast: Sendable {
  /// What the outside gets to see.
  package enum Observation: Sendable {
    case event(EventLine)
    case note(String)
    case snapshot(Snapshot)
  }

  /// What a broadcast came to.
  package struct Outcome: Sendable {
    /// Nil where nothing went out.
    package let report: Report?
    /// Why it could not go on; nil where it ended as asked.
    package let failure: BroadcastError?

    package init(report: Report?, failure: BroadcastError?) {
      self.report = report
      self.failure = failure
    }
  }

  private enum Event: Sendable {
    case lane(LaneEvent)
    case recorder(Recorder.Event)
    case output(String, Output.Event)
    case networkChanged
    case request(BroadcastRequest)
  }

  let id: String
  let configuration: Configuration
  private let feeds: Feeds
  let journal: BroadcastJournal?
  private let resumed: ResumedBroadcast?
  private let inbox = BoundedQueue<Event>(capacity: 4096)
  private let observe: @Sendable (Observation) -> Void
  let answer: @Sendable (BroadcastAnswer) -> Void
  private let thread = ThreadSlot()

  /// How often a snapshot is shown.
  private static let snapshotInterval = MediaTime.milliseconds(250)

  /// A new one, or the one that is `resumed` after a crash.
  init(
    id: String, _ configuration: Configuration, feeds: Feeds, journals: JournalFolder? = nil,
    resumed: ResumedBroadcast? = nil,
    observe: @escaping @Sendable (Observation) -> Void,
    answer: @escaping @Sendable (BroadcastAnswer) -> Void
  ) {
    self.id = id
    self.configuration = configuration
    self.feeds = feeds
    self.observe = observe
    self.answer = answer
    self.resumed = resumed
    journal = Self.journal(of: id, configuration, in: journals, resumed) { observe(.note($0)) }
  }

  /// Runs it to its end on a thread of its own, which `join` waits for.
  func start() {
    do {
      try thread.start(name: "broadcast") { [self] in answer(.ended(run())) }
    } catch {
      answer(.over(.failed))
      answer(.ended(Outcome(report: nil, failure: .system("\(error)"))))
    }
  }

  func join() {
    thread.join()
  }

  /// False where it takes nothing any more. Never blocks; from any thread.
  @discardableResult
  func post(_ request: BroadcastRequest) -> Bool {
    inbox.offer(.request(request))
  }

  /// Whatever ends it, what was recorded until then is whole.
  private func run() -> Outcome {
    silenceFFmpeg()
    let inbox = inbox
    let opening = BroadcastOpening(
      configuration: configuration, feeds: feeds, note: { [observe] in observe(.note($0)) },
      laneEvent: { _ = inbox.offer(.lane($0)) }, recorderEvent: { _ = inbox.offer(.recorder($0)) },
      outputEvent: { _ = inbox.offer(.output($0, $1)) }, resumed: resumed, journal: journal)
    do {
      let parts = try opening.open()
      return run(parts, Stage(configuration: configuration, tracks: parts.tracks, resumed: resumed))
    } catch {
      journal?.ended(.failed)
      tell(.ended(reason: .failed, duration: resumed?.mediaEnd ?? .zero, gaps: 0))
      answer(.over(.failed))
      return Outcome(report: nil, failure: error)
    }
  }

  private func run(_ parts: BroadcastParts, _ stage: Stage) -> Outcome {
    var stage = stage
    let inbox = inbox
    let network = parts.outputs.isEmpty ? nil : try? NetworkChanges { _ = inbox.offer(.networkChanged) }
    journal?.follow(parts.timeLine)
    // They leave before they have come: the machine says when to go on.
    if stage.pause != nil { for output in parts.outputs { output.pause() } }
    do {
      try parts.start()
      live(&stage, parts)
    } catch {
      stage.fail(.system("\(error)"))
    }
    parts.finish()
    network?.stop()
    inbox.close()
    while let event = inbox.take() { handle(event, &stage, parts) }
    let duration = max(parts.meters.take().mediaTime, resumed?.mediaEnd ?? .zero)
    journal?.ended(stage.endReason)
    tell(
      .ended(reason: stage.endReason, duration: duration, gaps: stage.gaps.count + stage.interruptions.count))
    answer(.over(stage.endReason))
    let report =
      !stage.isLive
      ? nil
      : Report(
        duration: duration, recordingPath: stage.path,
        recordedBytes: Int64(stage.recordedBytes.values.reduce(0, +)),
        outputs: stage.outputs.acceptedCount, interruptions: stage.interruptions.count,
        interrupted: stage.interruptions.reduce(.zero) { $0 + max($1.lostVideo, $1.lostAudio) },
        gaps: stage.gaps)
    return Outcome(report: report, failure: stage.failure ?? stage.recordingFailure)
  }

  /// Handles events until every track has ended, or its time to do so is over.
  private func live(_ stage: inout Stage, _ parts: BroadcastParts) {
    var rates = RateMeter()
    var nextSnapshot = MonotonicTime.now + Self.snapshotInterval
    while !stage.isOver(.now) {
      if stage.areAttemptsDecided, stage.start == .connecting {
        stage.start = .decided
        answer(.attemptsDecided)
      }
      lookAfterPause(&stage, parts)
      journal?.checkpoint()
      let next = [stage.deadline, stage.pause?.deadline].compactMap(\.self).min() ?? nextSnapshot
      if let event = inbox.take(until: min(nextSnapshot, next)) { handle(event, &stage, parts) }
      guard nextSnapshot <= .now else { continue }
      nextSnapshot = nextSnapshot + Self.snapshotInterval
      var snapshot = rates.snapshot(
        parts.meters.take(), state: stage.pause != nil ? .interrupted : stage.isLive ? .live : .starting,
        recordedBytes: parts.recorder?.bytesWritten ?? 0, at: .now)
      snapshot.disk = parts.recorder == nil ? nil : stage.disk
      snapshot.recordQueue = parts.recorder?.queued ?? .zero
      parts.recorder?.look()
      snapshot.outputs = parts.outputs.map { OutputStatus(id: $0.id, figures: $0.status) }
      observe(.snapshot(snapshot))
    }
  }

  private func goLive(_ stage: inout Stage, _ parts: BroadcastParts) {
    if let refusal = stage.refusalOfAll { return stage.fail(refusal) }
    stage.goLive()
    journal?.live(configuration.outputs.publishType)
    parts.timeLine.run(from: .now)
    if parts.recorder == nil { tellLive(&stage) }
  }

  private func tellLive(_ stage: inout Stage) {
    guard !stage.isLive else { return }
    stage.isLive = true
    tell(.live(publishType: configuration.outputs.publishType))
  }

  private func handle(_ event: Event, _ stage: inout Stage, _ parts: BroadcastParts) {
    switch event {
    case .request(let request): handle(request, &stage, parts)
    case .networkChanged: parts.networkChanged()
    case .lane(let event): handle(event, &stage)
    case .recorder(let event): handle(event, &stage, parts.meters)
    case .output(let id, let event): handle(event, of: id, &stage, parts)
    }
  }

  private func handle(_ request: BroadcastRequest, _ stage: inout Stage, _ parts: BroadcastParts) {
    switch request {
    case .goLive: goLive(&stage, parts)
    case .pause: beginPause(&stage, parts)
    case .reportInterrupted(let cause, let until):
      journal?.interrupted(cause, until: until)
      tell(.interrupted(cause: cause, resumableUntil: until))
    case .resume(let cause): beginReturn(cause, &stage, parts)
    case .stop(let reason): stage.stop(reason)
    case .send(let event): for output in parts.outputs { output.send(event) }
    case .limitBitrate(let limits):
      stage.limit(limits.highest, parts.wishes)
      for output in parts.outputs { output.limit(limits) }
    }
  }

  func tell(_ event: BroadcastEvent) {
    observe(
      .event(EventLine(at: WallTime.now, broadcast: id, event: event)))
  }
}

// MARK: - Events

extension Broadcast {
  private func handle(_ event: LaneEvent, _ stage: inout Stage) {
    switch event {
    case .note(let text): observe(.note(text))
    // What waits for it looks at the time line.
    case .began: break
    case .held(let track): stage.pause?.hold(track)
    case .lost(let loss): add(loss, &stage)
    case .bitrateChanged(let change): tell(.bitrate(bitsPerSecond: change.bitsPerSecond, why: change.why))
    case .sourceFailed(let error):
      tell(.device(track: error.track, state: error.kind == .busy ? .busy : .lost, cause: error.what))
      stage.fail(.capture(error))
    case .encodingFailed(let track, let what): stage.fail(.encoding("\(track.rawValue): \(what)"))
    case .finished(let track, let hasReachedEnd):
      stage.selfEnding = feeds.selfEnding
      stage.finish(track, hasReachedEnd: hasReachedEnd, at: .now)
    }
  }

  private func handle(_ event: Recorder.Event, _ stage: inout Stage, _ meters: Meters) {
    switch event {
    case .opened(let path):
      stage.path = path
      tell(.recording(path: path, state: .open))
      tellLive(&stage)
    case .continuedElsewhere(let path, let why):
      observe(.note("\(stage.path ?? "the recording"): \(why); it goes on in \(path)"))
    case .lost(let lost):
      let loss = TrackLoss(
        track: lost.track,
        cause: lost.isHeld || stage.recordingFailure != nil || stage.failure != nil ? .disk : .diskTooSlow,
        mediaAt: lost.at, duration: lost.duration, pictures: lost.track == .video ? lost.packets : 0,
        output: Gap.recording)
      meters.lost(loss)
      add(loss, &stage)
    case .disk(let state):
      stage.disk = state
      tell(.disk(state))
    case .failed(let error, let bytes):
      stage.recordedBytes[error.path] = bytes
      tell(.recording(path: error.path, state: .failed))
      stage.loseRecording(error)
      // The outputs go on: it is live all the same.
      if stage.isOnAir { tellLive(&stage) }
    case .paused: stage.pause?.isRecordingDone = true
    case .finished(let path, let bytes):
      stage.recordedBytes[path] = bytes
      tell(.recording(path: path, state: .finished))
    case .unfinished(let error): observe(.note("\(error)"))
    }
  }

  private func handle(
    _ event: Output.Event, of id: String, _ stage: inout Stage, _ parts: BroadcastParts
  ) {
    guard let output = parts.outputs.first(where: { $0.id == id }) else { return }
    switch event {
    case .decided(let isAccepted):
      if isAccepted { noteAcceptance(by: id) }
      stage.outputs.decide(id, isAccepted: isAccepted)
      stage.pause?.decided(id)
    case .bitrateWanted(let bitrate, let why): stage.vote(bitrate, by: id, why: why, parts.wishes)
    case .lost(let loss): add(loss, of: id, &stage)
    case .changed(let condition, let why):
      stage.outputs.change(id, to: condition, why: why)
      if condition.state == .publishing { noteAcceptance(by: id) }
      if condition.state == .closed { stage.pause?.left(id) }
      if condition.state != .publishing, condition.state != .stalled {
        stage.vote(nil, by: id, why: "\(id) does not publish", parts.wishes)
      }
      tell(
        .output(
          OutputReport(
            id: id, url: output.url, condition: condition, why: why,
            loss: condition.state == .publishing ? stage.outputs.takeLoss(of: id) : OutputLoss())))
      if let failure = stage.outputs.failureOfAll, stage.hasNothingLeft { stage.fail(failure) }
    }
  }

  private func add(_ loss: OutputLoss, of id: String, _ stage: inout Stage) {
    guard stage.isOnAir, let mediaAt = loss.mediaAt else { return }
    stage.outputs.add(loss, to: id)
    let now = wallClockNanoseconds()
    let length = max(loss.video, loss.audio)
    let gap = Gap(
      .network, output: id, wallFrom: WallTime(nanoseconds: now - length.nanoseconds),
      wallTo: WallTime(nanoseconds: now), mediaAt: mediaAt, lostVideo: loss.video,
      lostPictures: loss.pictures, lostAudio: loss.audio)
    stage.gaps.append(gap)
    journal?.gap(gap)
    tell(.gap(gap))
  }

  private func add(_ loss: TrackLoss, _ stage: inout Stage) {
    let now = wallClockNanoseconds()
    let gap = Gap(
      loss.cause, output: loss.output, wallFrom: WallTime(nanoseconds: now - loss.duration.nanoseconds),
      wallTo: WallTime(nanoseconds: now),
      mediaAt: loss.mediaAt, lostVideo: loss.track == .video ? loss.duration : .zero,
      lostPictures: loss.pictures,
      lostAudio: loss.track == .audio ? loss.duration : .zero)
    stage.gaps.append(gap)
    journal?.gap(gap)
    tell(.gap(gap))
  }
}
