import HoldfastLifecycle
package import HoldfastMediaModel
import HoldfastPublishing
import HoldfastRecording

/// Decides the course of one broadcast. A broadcast resumed after a crash begins paused.
package struct BroadcastMachine: Machine {
  private static let minClockStep = MediaTime.milliseconds(100)
  /// An output with older undelivered media is behind.
  private static let maxLag = MediaTime.milliseconds(100)

  let settings: Settings
  var state = State.idle
  var outputs: OutputStates
  var tracks: TrackEnds
  var recording: RecordingProgress
  var losses: GapLedger
  private var votes: [RenditionID: BitrateVotes]
  private var inUse: Set<RenditionID>
  private(set) var ownEncodes: OwnEncodes
  var viewedEncodes: ViewedEncodes
  private var stopReason: BroadcastEvent.EndReason?
  private(set) var failure: BroadcastError?
  private(set) var isLive: Bool
  var hasMediaBegun: Bool
  private(set) var hasPublished: Bool
  private var air = AirState.off
  /// The oldest undelivered media of each track of the outputs that are behind.
  private(set) var behind: [String: [TrackKind: MediaTime]] = [:]
  /// Wall clock minus time since boot, when the losses were last read.
  private var wallOffset: MediaTime?

  package init(_ settings: Settings) {
    self.settings = settings
    let resumed = settings.resumed
    outputs = OutputStates(settings.outputs)
    tracks = TrackEnds(tracks: settings.tracks, hasDuration: settings.hasDuration)
    recording = RecordingProgress(isRequested: settings.isRecorded, path: resumed?.recordingPath)
    losses = GapLedger(
      gaps: (resumed?.gaps ?? []) + (resumed?.cutLosses ?? []), interruptions: resumed?.interruptions ?? [])
    votes = settings.renditions.reduce(into: [.main: BitrateVotes(highest: settings.bitrate)]) {
      $0[$1.id] = BitrateVotes(highest: $1.bitrate)
    }
    inUse = Set(settings.renditions.map(\.id))
    ownEncodes = OwnEncodes(highest: settings.sharedBitrates)
    viewedEncodes = ViewedEncodes(of: settings.viewable, beside: settings.renditions)
    (isLive, hasMediaBegun, hasPublished) = (resumed != nil, resumed != nil, resumed != nil)
  }

  package mutating func handle(_ event: Event, at now: Instant) -> [Action] {
    react(to: event, at: now) + advance() + reportAir() + changeRenditions()
  }

  private mutating func react(to event: Event, at now: Instant) -> [Action] {
    switch event {
    case .started:
      state = .opening([])
      return [.open]
    case .opened: return begin(at: now)
    case .openingFailed(let error):
      fail(error)
      return drain()
    case .request(let request): return handle(request, at: now)
    case .networkChanged: return [.command(.networkChanged)]
    case .lossesRead(let running): return read(running, at: now)
    case .deliveriesRead(let undelivered, let media):
      keepBehind(undelivered, at: media)
      return []
    case .viewersRead(let ids):
      return viewedEncodes.watch(ids, used: usedRenditions, at: now.monotonic).map { .init($0) }
    case .loadRead(let load):
      let refused = viewedEncodes.read(load, used: usedRenditions, at: now.monotonic)
      // On an overload, an encode for viewers alone is given up before one for an output.
      return refused.map { .init($0) }
        + (load.isOverloaded && !refused.isEmpty ? [] : change { $0.read(load, at: now.monotonic) })
    case .lane(let event): return handle(event, at: now)
    case .recorder(let event): return handle(event, at: now)
    case .output(let id, let event): return handle(event, of: id, at: now)
    case .mediaPaused(let start): return mediaPaused(start, at: now)
    case .pauseTimedOut(let isBehind): return pauseTimedOut(isBehind: isBehind, at: now)
    case .reconnectTimedOut: return resumeMedia(hasTimedOut: true)
    case .drainTimedOut:
      tracks.hasTimedOut = true
      return []
    case .finished(let mediaTime): return end(at: max(mediaTime, settings.resumed?.mediaEnd ?? .zero))
    }
  }

  private mutating func begin(at now: Instant) -> [Action] {
    guard case .opening(let requests) = state else { return [] }
    state = settings.resumed.map { .paused($0.interruption) } ?? .open
    // An earlier process has not ended them.
    let crashed = settings.resumed?.cutLosses ?? []
    return crashed.flatMap { [.write(.gap($0)), .report(.gap($0))] }
      + requests.flatMap { handle($0, at: now) }
  }

  private mutating func advance() -> [Action] {
    switch state {
    case .idle, .opening, .ending, .ended: return []
    case .open, .preparing, .awaitingAcceptance, .onAir, .pausingMedia, .disconnecting, .paused,
      .reconnecting, .resuming, .cancellingResume, .endingMedia:
      break
    }
    if failure != nil || tracks.areFinished { return drain() }
    if stopReason != nil { return endMedia() }
    guard case .preparing = state, outputs.haveAllFinished else { return [] }
    state = .open
    return [.answer(.prepared)]
  }

  private mutating func handle(_ request: BroadcastRequest, at now: Instant) -> [Action] {
    if case .opening(let requests) = state {
      state = .opening(requests + [request])
      return []
    }
    switch request {
    case .prepare: return prepare()
    case .goLive: return goLive()
    case .pause: return pause(at: now)
    case .reportInterrupted(let cause, let until):
      return [
        .writeInterrupted(cause, until: until), .report(.interrupted(cause: cause, resumableUntil: until)),
      ]
    case .resume(let cause): return resume(after: cause)
    case .stop(let reason):
      stopReason = stopReason ?? reason
      return []
    case .send(let event): return [.command(.send(event))]
    case .move(let output, let address): return [.command(.move(output, to: address))]
    case .limitBitrate(let limits):
      ownEncodes.limit(to: limits.highest, sharing: rendition(.main)?.outputs ?? [])
      let bitrate = votes[.main]?.limit(to: limits.highest)
      let change = bitrate.map {
        BitrateChange(bitsPerSecond: $0, reason: "as configured", isConfigured: true)
      }
      return (change.map { [.request(.bitrate($0))] } ?? []) + [.command(.limitBitrate(limits))]
    }
  }

  private mutating func prepare() -> [Action] {
    guard case .open = state else { return [] }
    state = .preparing
    return [.command(.prepare)]
  }

  mutating func goLive() -> [Action] {
    switch state {
    case .open, .preparing: break
    case .idle, .opening, .awaitingAcceptance, .onAir, .pausingMedia, .disconnecting, .paused, .reconnecting,
      .resuming, .cancellingResume, .endingMedia, .ending, .ended:
      return []
    }
    if let refusal = refusalOfAll {
      fail(refusal)
      return []
    }
    (state, hasPublished) = (.awaitingAcceptance, true)
    return [.command(.publish)] + (recording.isActive || outputs.isEmpty ? beginMedia() : [])
  }

  /// Media time begins with the recording, without one when an output is accepted.
  mutating func beginMedia() -> [Action] {
    guard case .awaitingAcceptance = state else { return [] }
    state = .onAir
    return [.write(.live(settings.publishType)), .media(.run)]
  }
}

// MARK: - Events of its parts

extension BroadcastMachine {
  mutating func fail(_ error: BroadcastError) { failure = failure ?? error }

  /// Why neither an output nor the recording can take the broadcast; nil if one still may.
  var refusalOfAll: BroadcastError? { recording.isActive ? nil : outputs.failureOfAll }

  /// True once the broadcast has gone live, in this process or an earlier one.
  var isOnAir: Bool {
    switch state {
    case .idle, .opening, .open, .preparing, .awaitingAcceptance, .ended: settings.resumed != nil
    case .onAir, .pausingMedia, .disconnecting, .paused, .reconnecting, .resuming, .cancellingResume,
      .endingMedia:
      true
    case .ending(let wasOnAir): wasOnAir
    }
  }

  /// A broadcast is live once its recording has begun or an output publishes.
  mutating func reportLive() -> [Action] {
    let hasNoReceiver = !recording.isActive && outputs.isEmpty
    guard !isLive, hasMediaBegun, recording.hasBegun || outputs.isAnyPublishing || hasNoReceiver else {
      return []
    }
    isLive = true
    return [.report(.live(publishType: settings.publishType)), .answer(.wentLive)]
  }

  mutating func reportAir() -> [Action] {
    let new = AirState(isLive: shownState == .live, outputs.states)
    // What has just gone live gives its outputs the time for an attempt.
    guard new != air, air != .off || new != .none || !outputs.areAttempting else { return [] }
    air = new
    return [.report(.air(air))]
  }

  private mutating func read(_ running: [RunningLoss], at now: Instant) -> [Action] {
    let (noted, due) = losses.read(running, at: now)
    return checkClock(at: now) + noted.map { .write(.losing($0)) }
      + due.flatMap { [.write(.losing($0)), .report(.losing($0))] }
  }

  /// What an output is reported to be losing needs no second mention.
  private mutating func keepBehind(_ undelivered: [String: [TrackKind: MediaTime]], at media: MediaTime) {
    behind = undelivered.filter { output, oldest in
      let end = losses.losing.first { $0.output == output }?.mediaAt ?? media
      return oldest.values.contains { $0 + Self.maxLag < end }
    }
  }

  /// Reports a step of the wall clock, not its gradual correction.
  private mutating func checkClock(at now: Instant) -> [Action] {
    let offset = MediaTime(nanoseconds: now.wall.nanoseconds) - now.sinceBoot
    defer { wallOffset = offset }
    guard let last = wallOffset, abs((offset - last).nanoseconds) >= Self.minClockStep.nanoseconds else {
      return []
    }
    return [.report(.clock(by: offset - last))]
  }

  private func rendition(_ id: RenditionID) -> PlannedRendition? { settings.renditions.first { $0.id == id } }

  private func rendition(of output: String) -> RenditionID {
    settings.renditions.first { $0.outputs.contains(output) }?.id ?? .main
  }

  /// Outputs that share change to encodes of their own, and back.
  mutating func change(reason: String = "", _ decide: (inout OwnEncodes) -> [OwnEncodes.Action]) -> [Action] {
    let before = ownEncodes.dropping
    let decided = decide(&ownEncodes)
    let dropping = ownEncodes.dropping.filter { before[$0.key] == nil }.map {
      Action.warning("\($0.key): its network can't keep up, and what doesn't fit is dropped: \($0.value)")
    }
    return dropping
      + decided.flatMap { action -> [Action] in
        switch action {
        case .begin(let output, let bitrate):
          let event = BroadcastEvent.bitrate(
            bitsPerSecond: bitrate, reason: reason.isEmpty ? "there is time for it" : reason,
            rendition: .own(output: output))
          return [.request(.beginOwn(output: output, bitrate: bitrate)), .report(event)]
        case .change(let output, let bitrate):
          let change = BitrateChange(bitsPerSecond: bitrate, reason: reason, rendition: .own(output: output))
          return [.request(.bitrate(change))]
        case .end(let output):
          return [
            .request(.endOwn(output: output)),
            .note("\(output) shares the rendition \(rendition(of: output)) again"),
          ]
        }
      }
  }

  mutating func vote(_ bitrate: Int?, by output: String, reason: String, at now: Instant) -> [Action] {
    if ownEncodes.has(output) {
      return change(reason: reason) { $0.request(bitrate, of: output, at: now.monotonic) }
    }
    let rendition = rendition(of: output)
    guard let bitrate = votes[rendition]?.vote(bitrate, by: output) else { return [] }
    let change = BitrateChange(bitsPerSecond: bitrate, reason: reason, rendition: rendition)
    return [.request(.bitrate(change))]
  }

  var needsLoad: Bool { ownEncodes.needsLoad || viewedEncodes.needsLoad }

  /// What was refused, and a recording that has failed, are no users any more.
  private var usedRenditions: Set<RenditionID> {
    let used = settings.renditions.filter { rendition in
      rendition.isSupplied || rendition.isRecorded && recording.isActive
        || rendition.outputs.contains { !outputs.isRefused($0) }
    }
    return Set(used.map(\.id))
  }

  private mutating func changeRenditions() -> [Action] {
    guard settings.renditions.count > 1 || viewedEncodes.needsLoad else { return [] }
    let used = usedRenditions
    let ids = used.union(viewedEncodes.running)
    guard ids != inUse, !used.isEmpty else { return [] }
    inUse = ids
    return [.request(.use(ids))]
  }
}

// MARK: - The end

extension BroadcastMachine {
  private var endReason: BroadcastEvent.EndReason {
    if failure != nil { return .failed }
    return stopReason ?? (tracks.haveReachedEnd ? .duration : .sourceEnded)
  }

  /// Media stops where a pause would stop it, so that the tracks end together.
  private mutating func endMedia() -> [Action] {
    switch state {
    case .onAir:
      state = .endingMedia(tracks.running)
      return [.setTimer(.pause, after: Self.pauseTimeout)] + reportAir() + [.pauseMedia]
    case .endingMedia: return []
    case .idle, .opening, .open, .preparing, .awaitingAcceptance, .pausingMedia, .disconnecting, .paused,
      .reconnecting, .resuming, .cancellingResume, .ending, .ended:
      return drain()
    }
  }

  mutating func finishEndingMedia() -> [Action] {
    [.cancelTimer(.pause), .media(.pauseWithoutPicture)] + drain()
  }

  private mutating func drain() -> [Action] {
    state = .ending(wasOnAir: isOnAir)
    return [.report(.ending(reason: endReason))] + reportAir() + [.finish]
  }

  /// A broadcast that was never to publish owes nobody anything.
  private var undelivered: BroadcastError? {
    hasPublished ? outputs.failureToDeliver(requiresAll: settings.requiresAllOutputs) : nil
  }

  private mutating func end(at duration: MediaTime) -> [Action] {
    state = .ended
    let pauses = losses.interruptions.filter { !$0.cause.isOfProcess }
    let report = Report(
      duration: duration, recordingPath: recording.path, recordedBytes: recording.bytes,
      outputs: outputs.deliveredCount, interruptions: pauses.count,
      interrupted: pauses.reduce(.zero) { $0 + $1.lost },
      gaps: losses.gaps + losses.interruptions.filter(\.cause.isOfProcess), endReason: endReason)
    let ending = JournalEntry.Ending(reason: endReason.rawValue, duration: duration, gaps: losses.count)
    return [
      .write(.ended(ending)), .report(.ended(reason: endReason, duration: duration, gaps: losses.count)),
      .write(.reported), .answer(.over(endReason)),
      .answer(
        .ended(.init(report: isLive ? report : nil, failure: failure ?? recording.failure ?? undelivered))),
    ]
  }

  var shownState: Snapshot.State? {
    switch state {
    case .idle, .opening, .ending, .ended: nil
    case .open, .preparing, .awaitingAcceptance, .onAir, .endingMedia: isLive ? .live : .starting
    case .pausingMedia, .disconnecting, .paused, .reconnecting, .resuming, .cancellingResume: .interrupted
    }
  }
}
