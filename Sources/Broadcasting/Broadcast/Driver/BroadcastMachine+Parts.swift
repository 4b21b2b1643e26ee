import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastPublishing
import HoldfastRecording

extension BroadcastMachine {
  mutating func handle(_ event: LaneEvent, at now: Instant) -> [Action] {
    switch event {
    case .note(let text): return [.note(text)]
    case .started(let start): return mediaStarted(start, at: now)
    case .trackChanged(let track): return [.report(.track(track))]
    case .stopped(let track): return mediaStopped(in: track)
    case .lost(let loss): return add(losses.add(loss, at: now))
    case .bitrateChanged(let change):
      return [
        .report(
          .bitrate(bitsPerSecond: change.bitsPerSecond, reason: change.reason, rendition: change.rendition))
      ]
    case .sourceFailed(let error):
      fail(.capture(error))
      return [.report(.device(error))]
    case .encodingFailed(let track, let what):
      fail(.encoding("\(track.rawValue): \(what)"))
      return []
    case .encodeFailed(.own(let output), let why): return change { $0.fail(output, why: why) }
    case .encodeFailed(let rendition, let why):
      let refused = viewedEncodes.fail(rendition, why: why)
      // An encoder may fail for each picture that it has.
      guard !refused.isEmpty else { return [] }
      return [.warning("\(rendition): its encoder for viewers has failed: \(why)")]
        + refused.map { .init($0) }
    case .finished(let track, let hasReachedEnd, let selfEnding):
      tracks.finish(track, hasReachedEnd: hasReachedEnd, selfEnding: selfEnding)
      return hasReachedEnd ? [.setTimer(.drain, after: TrackEnds.drainTimeout)] : []
    }
  }

  mutating func handle(_ event: Recorder.Event, at now: Instant) -> [Action] {
    switch event {
    case .opened(let path):
      recording.path = path
      return [.report(.recording(path: path, state: .open))] + reportLive()
    case .continuedElsewhere(let path, let reason):
      return [.warning("\(recording.path ?? "the recording"): \(reason); recording continues in \(path)")]
    case .lost(let loss):
      var loss = TrackLoss(loss)
      if case .recording(let error) = recording.failure { loss.cause = error.gapCause }
      return add(losses.add(loss, at: now))
    case .disk(let disk):
      recording.disk = disk
      return [.report(.disk(disk))]
    case .failed(let error, let bytes):
      recording.bytesByFile[error.path] = bytes
      recording.failure = .recording(error)
      recording.flushes = 0
      // The broadcast continues if an output can still take it.
      if outputs.isEmpty || outputs.failureOfAll != nil { fail(.recording(error)) }
      return [.report(.recording(path: error.path, state: .failed))] + reportLive()
        + finishPausing()
    case .flushed:
      recording.flushes = max(0, recording.flushes - 1)
      return finishPausing()
    case .finished(let path, let bytes):
      recording.bytesByFile[path] = bytes
      return [.report(.recording(path: path, state: .finished))]
    case .unfinished(let error): return [.warning("\(error)")]
    }
  }

  mutating func handle(_ event: Output.Event, of id: String, at now: Instant) -> [Action] {
    guard let output = outputs[id] else { return [] }
    switch event {
    case .firstAttemptFinished:
      outputs.decide(id)
      return reconnected(id)
    case .accepted:
      outputs.accept(id)
      return beginMedia()
    case .bitrateRequested(let bitrate, let reason): return vote(bitrate, by: id, reason: reason, at: now)
    case .lost(let loss):
      guard isOnAir, let gap = losses.add(loss, of: id, at: now) else { return [] }
      outputs.add(loss, to: id)
      return add(gap)
    case .changed(let condition, let reason):
      outputs.change(id, to: condition, reason: reason)
      let report = OutputReport(
        id: id, url: output.url, condition: condition, reason: reason,
        loss: condition.state == .publishing ? outputs.takeLoss(of: id) : OutputLoss())
      if let refusalOfAll { fail(refusalOfAll) }
      let hasPublished = condition.state == .publishing
      return (hasPublished ? [.write(.outputAccepted(output.journalKey))] : [])
        + withdrawVote(of: id, in: condition.state, at: now) + [.report(.output(report))] + reportLive()
    }
  }

  private mutating func withdrawVote(
    of id: String, in state: OutputLifecycle.Condition.State, at now: Instant
  ) -> [Action] {
    switch state {
    case .publishing, .stalled: []
    case .connecting, .waiting, .refused, .closed:
      vote(nil, by: id, reason: "\(id) does not publish", at: now)
    }
  }

  private func add(_ gap: Gap) -> [Action] { [.write(.gap(gap)), .report(.gap(gap))] }
}

extension BroadcastMachine.Action {
  init(_ action: ViewedEncodes.Action) {
    switch action {
    case .refuse(let rendition, let why): self = .refuseViewers(rendition, why: why)
    }
  }
}

extension TrackLoss {
  init(_ loss: Recorder.Loss) {
    self.init(
      track: loss.track, cause: loss.cause, mediaAt: loss.at, duration: loss.duration,
      pictures: loss.track == .video ? loss.packets : 0, output: Gap.recording)
  }
}

/// What the recorder has reported.
struct RecordingProgress {
  let isRequested: Bool
  /// Nil until its first fragment has been written.
  var path: String?
  var bytesByFile: [String: Int] = [:]
  var disk = DiskState.writing
  /// Unanswered flush requests to the recorder.
  var flushes = 0
  /// Why recording has stopped while the outputs continue.
  var failure: BroadcastError?

  var hasBegun: Bool { path != nil }
  var isActive: Bool { isRequested && failure == nil }
  var bytes: Int64 { Int64(bytesByFile.values.reduce(0, +)) }
}

/// Which tracks have ended, and whether the others are still waited for.
struct TrackEnds {
  let tracks: Set<TrackKind>
  let hasDuration: Bool
  private(set) var finished: Set<TrackKind> = []
  private(set) var haveReachedEnd = false
  /// The remaining tracks are not waited for.
  var hasTimedOut = false

  /// The time for other tracks to reach the configured duration after the first one has.
  static let drainTimeout = MediaTime.seconds(2)

  var running: Set<TrackKind> { tracks.subtracting(finished) }
  var areFinished: Bool { finished == tracks || hasTimedOut }

  /// Waits for other tracks only if their sources end by themselves.
  mutating func finish(_ track: TrackKind, hasReachedEnd: Bool, selfEnding: Set<TrackKind>) {
    finished.insert(track)
    haveReachedEnd = haveReachedEnd || hasReachedEnd
    if !hasReachedEnd, !hasDuration, !running.isSubset(of: selfEnding) { hasTimedOut = true }
  }
}
