import HoldfastBroadcasting
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastPublishing
import HoldfastRecording
import TestVirtualTime

/// A broadcast: the real driver in a simulated environment.
final class SimulatedBroadcast {
  private let process: SimulatedProcess
  let truth: Truth
  private var loop: VirtualLoop<BroadcastDriver<SimulatedBroadcast>>?
  private(set) var clock: MediaClock
  private(set) var outputs: [SimulatedOutput] = []
  private var recorder: SimulatedRecorder?
  let journal: JournalKeeper
  private var start: MediaStart?
  private var lastEnd: MonotonicTime?
  /// The time at which the outputs were asked to reconnect; nil once media time is to run.
  private var returnsSince: Int64?
  /// A generation number that invalidates actions pending for the next picture.
  private var pictures = 0
  private var isBeginning = false
  private var hasKeyframe = true
  /// Whether it has been on air, in this process or an earlier one.
  private var isOnAir: Bool
  private var isLive: Bool
  private var resumptions = 0
  private var requests = 0
  private var unanswered: (number: Int, isStop: Bool)?
  private var parts = 0
  /// The time since which one device delivers nothing while the other does.
  private(set) var goneSince: [TrackKind: Int64] = [:]
  /// Media time that the previous process did not get to the disk.
  private var unrecorded: Range<Int64>?
  private let wasResumed: Bool

  private static let pictureTime: Int64 = .ms(33)

  init(_ process: SimulatedProcess, _ truth: Truth, resumed: UnfinishedBroadcast?) {
    self.process = process
    self.truth = truth
    wasResumed = resumed != nil
    isOnAir = wasResumed
    isLive = wasResumed
    let recordedEnd = process.disk.recordings[truth.id]?.last?.mediaEnd ?? 0
    let knownEnd = resumed?.mediaTime.nanoseconds ?? 0
    clock = MediaClock(from: max(recordedEnd, knownEnd))
    journal = JournalKeeper(process, process.disk.journal(of: truth.id), resuming: resumed)
    journal.broadcast = self
    if let resumed {
      if process.settings.records, recordedEnd < knownEnd { unrecorded = recordedEnd..<knownEnd }
      // Later writes are no sign of life of the previous process.
      if resumed.interruption == nil {
        let entry = JournalEntry.interrupted(
          cause: Interruption.crash, mediaAt: resumed.mediaTime, resumableUntil: nil)
        journal.write(entry, resumed.lastSign)
      }
    } else {
      journal.write(.began(.init(broadcast: truth.id, name: "simulated")))
    }
    if process.settings.records { recorder = SimulatedRecorder(process, self) }
    let accepted = resumed?.acceptedOutputs ?? []
    outputs = process.day.endpoints.map {
      SimulatedOutput(process, self, $0, wasAccepted: accepted.contains($0.id))
    }
    let end = MediaTime(nanoseconds: clock.end(at: now))
    let interruption = OpenInterruption(
      since: process.host.clock, wallSince: process.host.wall, cause: .crash, mediaAt: end)
    let settings = BroadcastMachine.Settings(
      tracks: Set(TrackKind.allCases),
      outputs: process.day.endpoints.map {
        .init(id: $0.id, url: $0.id, journalKey: $0.id, wasAccepted: accepted.contains($0.id))
      }, isRecorded: recorder != nil, publishType: process.settings.publishType, bitrate: 2_000_000,
      hasDuration: process.settings.duration != nil,
      resumed: wasResumed ? .init(interruption, mediaEnd: end) : nil)
    loop = VirtualLoop(process, BroadcastDriver(of: truth.id, settings, self, snapshotInterval: nil)) {}
  }

  var id: String { truth.id }
  private var world: World { process.world }
  var now: Int64 { world.now }

  func post(_ event: BroadcastMachine.Event) { loop?.post(event) }

  /// Expects a pause or stop to complete in time, unless the disk or another request delays it.
  func perform(_ request: BroadcastRequest) {
    post(.request(request))
    guard truth.overAt == nil else { return }
    let isStop: Bool
    switch request {
    case .pause: isStop = false
    case .stop: isStop = true
    case .prepare, .goLive, .resume: return unanswered = nil
    case .reportInterrupted, .limitBitrate, .send, .move: return
    }
    requests += 1
    let number = requests
    unanswered = (number, isStop)
    let since = now - .s(10)
    process.expect(within: .s(5), "\(id): \(request) is not answered") { [self] in
      unanswered?.number != number || process.disk.trouble.touched(since..<now)
    }
  }

  func networkChanged() {
    for output in outputs { output.expectAttempt() }
    post(.networkChanged)
  }

  func release() {
    loop = nil
    recorder?.release()
    for output in outputs { output.release() }
  }

  private func atNextPicture(_ act: @escaping () -> Void) {
    pictures += 1
    let number = pictures
    process.after(Self.pictureTime) { [self] in if pictures == number { act() } }
  }

  private func begin() {
    isBeginning = false
    settle()
    clock.run(from: now)
    let media = clock.end(at: now)
    truth.run(
      at: now, media: media, world, window: process.settings.window,
      knowsWindow: !wasResumed || process.host.wallSteps.isEmpty)
    for track in TrackKind.allCases where !process.devices.present.contains(track) { goneSince[track] = now }
    let start = MediaStart(at: process.host.clock, mediaTime: MediaTime(nanoseconds: media), lastEnd: lastEnd)
    self.start = start
    post(.lane(.started(start)))
    // Before the interruption is over it would count as a sign of life.
    if let lost = unrecorded.take() {
      let loss = TrackLoss(
        track: .video, cause: .crash, mediaAt: MediaTime(nanoseconds: lost.lowerBound),
        duration: MediaTime(nanoseconds: lost.length), output: Gap.recording)
      post(.lane(.lost(loss)))
    }
    expectLive()
    guard let duration = process.settings.duration else { return }
    let number = clock.stretches.count
    process.after(duration - media) { [self] in
      guard clock.isRunning, clock.stretches.count == number, process.settings.duration != nil else { return }
      for track in TrackKind.allCases { post(.lane(.finished(track, hasReachedEnd: true, selfEnding: []))) }
    }
  }

  /// Expects a broadcast to be reported live soon after media time runs.
  private func expectLive() {
    process.after(.s(3)) { [self] in
      settle()
      process.expect(within: .ms(10), "\(id) is not reported as live") { [self] in
        isLive || !clock.isRunning || process.disk.hadTrouble(within: .minutes(1))
      }
    }
  }

  private func end() {
    pictures += 1
    isBeginning = false
    guard clock.isRunning else { return }
    settle()
    journal.checkpoint(at: now)
    clock.pause(at: now)
    truth.pause(at: now)
    (start, lastEnd) = (nil, process.host.clock)
    for track in TrackKind.allCases { reportGone(track) }
  }

  func output(_ output: SimulatedOutput, reported event: Output.Event) {
    let id = output.endpoint.id
    if case .lost(let loss) = event, let mediaAt = loss.place?.lowerBound.nanoseconds {
      let length = max(loss.video, loss.audio).nanoseconds
      for range in truth.captured(media: mediaAt, length: length, at: now).ranges { reportedLoss(id, range) }
    }
    post(.output(id, event))
  }

  func partEnded() {
    parts -= 1
    guard parts == 0 else { return }
    post(.finished(mediaTime: MediaTime(nanoseconds: clock.end(at: now))))
  }

  func deviceChanged(_ track: TrackKind) {
    guard clock.isRunning else { return }
    if process.devices.present.contains(track) {
      reportGone(track)
    } else if goneSince[track] == nil {
      goneSince[track] = now
    }
  }

  private func reportGone(_ track: TrackKind) {
    guard let since = goneSince.removeValue(forKey: track) else { return }
    for part in clock.parts(of: since..<now) {
      reportedLoss(track.rawValue, part.captured)
      let loss = TrackLoss(
        track: track, cause: .device, mediaAt: MediaTime(nanoseconds: part.media),
        duration: MediaTime(nanoseconds: part.captured.length))
      post(.lane(.lost(loss)))
    }
  }

  func recorderReported(_ event: Recorder.Event) {
    if case .lost(let loss) = event {
      let (from, to) = (loss.at.nanoseconds, (loss.at + loss.duration).nanoseconds)
      let captured = clock.captured(media: from)..<clock.captured(media: to)
      for part in clock.parts(of: captured) { reportedLoss(Gap.recording, part.captured) }
    }
    post(.recorder(event))
  }

  private func reportedLoss(_ id: String, _ captured: Range<Int64>) {
    truth.reported(id, captured, at: now, isRefused: !process.disk.takesLines && process.disk.state != .hung)
  }

  func settle() { recorder?.settle() }

  func diskChanged() { recorder?.diskChanged() }

  func vanish() {
    settle()
    recorder?.vanish()
    for output in outputs {
      truth.forgotten[output.endpoint.id, default: Spans()].insert(output.unsentSince..<now)
    }
    for (track, since) in goneSince { truth.forgotten[track.rawValue, default: Spans()].insert(since..<now) }
    truth.pause(at: now)
  }
}

// MARK: - The driver's environment

extension SimulatedBroadcast: BroadcastEnvironment {
  func open() {
    for output in outputs { output.start(isPaused: wasResumed) }
    post(.opened)
  }

  func command(_ command: MediaCommand, at now: MonotonicTime) {
    switch command {
    case .run: runMedia()
    case .pauseWithoutPicture: end()
    }
  }

  private func runMedia() {
    world.expect(!clock.isRunning && !isBeginning, "\(id): media time is to run twice")
    world.expect(hasKeyframe, "\(id) resumes without a keyframe")
    if let returnsSince = returnsSince.take() {
      let limit =
        outputs.allSatisfy(\.isDecided) ? outputs.map(\.decidedAt).max() ?? 0 : returnsSince + .ms(400)
      world.expect(self.now - max(limit, returnsSince) < .ms(20), "\(id) returns later than its outputs")
    }
    if recorder != nil, !isOnAir { journal.write(.recording(path: "\(id).mp4", tracks: "tracks")) }
    isOnAir = true
    truth.beganAt = truth.beganAt ?? self.now
    isBeginning = true
    atNextPicture { [self] in begin() }
  }

  func pauseMedia(at now: MonotonicTime) -> MediaStart? {
    hasKeyframe = false
    guard clock.isRunning else {
      end()
      if clock.stretches.isEmpty, !wasResumed { (isOnAir, truth.beganAt) = (false, nil) }
      return nil
    }
    atNextPicture { [self] in
      guard !process.devices.present.isEmpty else { return }
      end()
      for track in TrackKind.allCases { post(.lane(.stopped(track))) }
    }
    return start
  }

  func command(_ command: OutputCommand) {
    for output in outputs {
      switch command {
      case .pause: output.pause()
      case .prepare: output.prepare()
      case .publish:
        if isOnAir { returnsSince = now }
        output.publish()
      case .networkChanged: output.networkChanged()
      case .send, .limitBitrate, .move: break
      }
    }
  }

  func flushRecorder() { recorder?.requestFlush() }

  func load(at now: MonotonicTime) -> EncodingLoad { .unknown }

  var watched: Set<RenditionID> { [] }
  func refuseViewers(of rendition: RenditionID, why: String) {}

  func request(_ request: EncoderRequest) { if request == .keyframe { hasKeyframe = true } }

  func write(_ entry: JournalEntry, ago: MediaTime, at _: Instant) {
    journal.write(entry, process.host.instant(at: now - ago.nanoseconds))
    switch entry {
    case .interrupted(_, let mediaAt, _), .resumed(let mediaAt, _), .checkpoint(let mediaAt, _):
      let error = abs(mediaAt.nanoseconds - clock.end(at: now))
      world.expect(error < .ms(100), "\(id): the journal's media time is wrong by \(error.shown)")
    case .ended: truth.overAt = now
    case .began, .recording, .live, .outputAccepted, .gap, .losing, .backgrounded, .session, .gate, .muted,
      .reported:
      break
    }
  }

  func report(_ observation: Broadcast.Observation) {
    guard case .event(let line) = observation else { return }
    world.note("\(id): \(line.event)")
    switch line.event {
    case .resumed: resumptions += 1
    case .live:
      world.expect(!isLive && isOnAir, "\(id) is reported as live, which it is not")
      isLive = true
    case .starting, .previewing, .interrupted, .backgrounded, .ended, .output, .recording, .disk, .gap,
      .losing, .clock, .ending, .air, .device, .track, .bitrate, .timer, .gate, .mute, .source, .membership,
      .programme:
      break
    }
  }

  func publishSnapshot(
    _ state: Snapshot.State, disk: DiskState, losing: [Gap], _ adaptations: [String: OutputAdaptation],
    at now: MonotonicTime
  ) {}
  func losses(at now: MonotonicTime) -> [RunningLoss] { [] }
  var undelivered: [String: [TrackKind: MediaTime]] { [:] }
  var encodedUntil: MediaTime { .zero }

  func answer(_ answer: BroadcastAnswer) {
    switch answer {
    case .prepared: world.expect(outputs.allSatisfy(\.isDecided), "\(id): an output's attempt is not decided")
    case .nothingBegun:
      if unanswered?.isStop == false { unanswered = nil }
      world.expect(!isOnAir, "\(id) has begun, and is not to be resumed")
    case .mediaBegan: process.mediaBegan()
    case .wentLive, .over: break
    case .paused: if unanswered?.isStop == false { unanswered = nil }
    case .ended(let outcome):
      unanswered = nil
      let expected = clock.stretches.count - (wasResumed ? 0 : 1)
      guard let report = outcome.report, expected >= 0 else { break }
      world.expect(
        report.interruptions + report.gaps.count { $0.cause == .crash && $0.output == nil } == expected
          && resumptions == expected,
        "\(id): \(report.interruptions) interruptions, \(resumptions) reported, of \(expected)")
    }
    process.after(0) { [self] in process.answered(answer, by: self) }
  }

  func finish() {
    end()
    parts = outputs.count + 1
    for output in outputs { output.stop() }
    process.after(.ms(40)) { [self] in
      guard let recorder else { return partEnded() }
      recorder.finish { [self] in partEnded() }
    }
  }

  func wait(
    for inbox: Inbox<BroadcastMachine.Event>, until deadline: MonotonicTime?
  ) -> BroadcastMachine.Event? { nil }

  func media(at now: MonotonicTime) -> MediaReading {
    MediaReading(time: MediaTime(nanoseconds: clock.end(at: self.now)), isRunning: clock.isRunning)
  }
}
