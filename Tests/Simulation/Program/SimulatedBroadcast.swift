internal import HoldfastLifecycle
internal import HoldfastMediaModel
internal import HoldfastPublishing
internal import HoldfastRecording

/// One broadcast, as its thread runs it: outputs, recorder, media time and journal, and the steps of a pause.
final class SimulatedBroadcast {
  enum Step: Hashable { case none, holding, leaving, resting, returning }

  let id: String
  private let process: SimulatedProcess
  let truth: Truth
  private(set) var clock: MediaClock
  private(set) var outputs: [SimulatedOutput] = []
  private var recorder: SimulatedRecorder?
  private(set) var journal: JournalKeeper
  private(set) var isOnAir = false
  private var isStopped = false
  private(set) var step = Step.none
  private var steps = 0
  private var isRecordingDone = true
  /// Those whose good-bye, or return, is waited for.
  private var awaited: Set<String> = []
  private var areAttemptsDecided = false
  /// Since when one of the devices gives nothing, though the other does.
  private(set) var goneSince: [TrackKind: Int64] = [:]
  private var acceptedBefore: Set<String>
  /// On the media time line: what the process before had not got to the disk.
  private var unrecorded: Range<Int64>?
  private let wasResumed: Bool

  static let recordingID = "recording"
  private static let holdLimit: Int64 = .ms(150)
  private static let returnLimit: Int64 = .ms(400)

  init(
    _ process: SimulatedProcess, id: String, truth: Truth, resumed: UnfinishedBroadcast? = nil
  ) {
    self.process = process
    self.id = id
    self.truth = truth
    let journalFile = process.disk.journal(of: id)
    wasResumed = resumed != nil
    acceptedBefore = Set(resumed?.acceptedOutputs ?? [])
    let file = resumed.flatMap { _ in process.disk.recordings[id]?.last }
    let recordedEnd = file?.mediaEnd ?? 0
    let knownEnd = resumed?.mediaTime.nanoseconds ?? 0
    clock = MediaClock(from: max(recordedEnd, knownEnd))
    let reader = ClockReader()
    journal = JournalKeeper(process.world, process.host, process.disk, file: journalFile) {
      reader.mediaTime(at: $0)
    }
    reader.broadcast = self
    if resumed == nil {
      journal.write(.began(.init(broadcast: id, name: "simulated")))
    }
    if let resumed {
      if process.settings.records, recordedEnd < knownEnd { unrecorded = recordedEnd..<knownEnd }
      // Whatever is written from now on is no sign of life of the process before.
      if resumed.interruption == nil { journal.write(crashAt: resumed.lastSign, mediaAt: resumed.mediaTime) }
    }
    if process.settings.records {
      recorder = SimulatedRecorder(
        process, id, clock: { [weak self] in self?.clock ?? MediaClock() },
        report: { [weak self] in self?.recorderReported($0) })
    }
    step = resumed == nil ? .none : .resting
    isOnAir = resumed != nil
    outputs = process.endpoints.map {
      SimulatedOutput(process, self, $0, wasAccepted: acceptedBefore.contains($0.id))
    }
    // They leave before they have come: the machine says when to go on.
    if resumed != nil { for output in outputs { output.pause() } }
  }

  private var world: World { process.world }
  var now: Int64 { world.now }
  /// Media time has run in this process.
  var hasRun: Bool { !clock.stretches.isEmpty }

  func start() {
    for output in outputs { output.start() }
    outputDecided()
  }

  // MARK: What is asked of it

  func goLive() {
    guard !isStopped, !isOnAir else { return }
    if recorder != nil { journal.write(.recording(path: "\(id).mp4", tracks: .init(text: "tracks"))) }
    isOnAir = true
    journal.write(.live(process.settings.publishType))
    run()
  }

  func pause() {
    // What was to come back leaves again.
    if step == .returning { return leave() }
    guard isOnAir, step == .none, !isStopped else { return process.reached(.paused, by: self) }
    enter(.holding, for: Self.holdLimit) { $0.leave() }
    process.after(.ms(33)) { [self] in if step == .holding { leave() } }
  }

  func resume() {
    guard step != .none, !isStopped else { return }
    // It has not even been held.
    if step == .holding { hold() }
    for output in outputs { output.resume() }
    awaited = Set(outputs.filter { $0.hasBeenAccepted }.map(\.endpoint.id))
    enter(.returning, for: Self.returnLimit) { $0.goOn() }
    if awaited.isEmpty { goOn() }
  }

  func stop() {
    guard !isStopped else { return }
    isStopped = true
    hold()
    steps += 1
    var left = outputs.count + 1
    let done: () -> Void = { [self] in
      left -= 1
      guard left == 0 else { return }
      whenOutputEnds = {}
      process.broadcastEnded(self)
    }
    whenOutputEnds = done
    for output in outputs { output.stop() }
    guard let recorder else { return done() }
    process.after(.ms(40)) { recorder.finish(done) }
  }

  private var whenOutputEnds: () -> Void = {}

  /// What waits for it holds it, too.
  func release() {
    whenOutputEnds = {}
    recorder?.release()
  }

  func outputEnded() {
    whenOutputEnds()
  }

  // MARK: The steps of a pause

  private func enter(_ step: Step, for limit: Int64?, _ next: @escaping (SimulatedBroadcast) -> Void) {
    self.step = step
    steps += 1
    guard let limit else { return }
    let number = steps
    process.after(limit) { [self] in if steps == number { next(self) } }
  }

  private func hold() {
    guard clock.isRunning else { return }
    settle()
    journal.checkpoint(at: world.now)
    clock.pause(at: world.now)
    truth.pause(at: world.now)
    for track in TrackKind.allCases { tellGone(track) }
  }

  private func leave() {
    hold()
    awaited = Set(outputs.filter(\.isConnected).map(\.endpoint.id))
    isRecordingDone = recorder == nil
    enter(.leaving, for: nil) { _ in }
    for output in outputs { output.pause() }
    recorder?.pause()
    rest()
  }

  private func rest() {
    guard step == .leaving, awaited.isEmpty, isRecordingDone else { return }
    enter(.resting, for: nil) { _ in }
    process.reached(.paused, by: self)
  }

  private func goOn() {
    guard step == .returning, !isStopped else { return }
    steps += 1
    step = .none
    journal.write(.resumed(mediaAt: MediaTime(nanoseconds: clock.end(at: world.now))))
    // Before the return it would count as a sign of life.
    if let lost = unrecorded {
      tellGap(.crash, mediaAt: lost.lowerBound, length: lost.length, output: Self.recordingID)
      unrecorded = nil
    }
    run()
  }

  private func run() {
    settle()
    clock.run(from: world.now)
    journal.beginCheckpoints()
    truth.run(
      at: world.now, media: clock.end(at: world.now), world, window: process.settings.window,
      knowsWindow: !wasResumed || process.host.wallSteps.isEmpty)
    for track in TrackKind.allCases where !process.devices.present.contains(track) {
      goneSince[track] = world.now
    }
    guard let duration = process.settings.duration else { return }
    let number = clock.stretches.count
    process.after(duration - clock.end(at: world.now)) { [self] in
      guard clock.isRunning, clock.stretches.count == number, process.settings.duration != nil else { return }
      process.reached(.over, by: self)
    }
  }

  // MARK: What comes from its parts

  func output(_ output: SimulatedOutput, reported event: Output.Event) {
    switch event {
    case .changed(let condition, _):
      if condition.state == .publishing { noteAcceptance(by: output) }
      outputChanged(output)
    case .decided(let isAccepted):
      if isAccepted { noteAcceptance(by: output) }
      outputDecided()
    case .lost(let loss):
      guard let mediaAt = loss.mediaAt?.nanoseconds else { return }
      let length = max(loss.video, loss.audio).nanoseconds
      for range in truth.captured(media: mediaAt, length: length, at: world.now).ranges {
        told(output.endpoint.id, range)
      }
      tellGap(.network, mediaAt: mediaAt, length: length, output: output.endpoint.id)
    case .bitrateWanted: break
    }
  }

  private func outputDecided() {
    let decided = outputs.filter(\.isDecided).map(\.endpoint.id)
    if case .returning = step {
      awaited.subtract(decided)
      if awaited.isEmpty { goOn() }
    }
    guard !areAttemptsDecided, decided.count == outputs.count else { return }
    areAttemptsDecided = true
    process.after(.ms(1)) { [self] in process.reached(.attemptsDecided, by: self) }
  }

  private func noteAcceptance(by output: SimulatedOutput) {
    guard acceptedBefore.insert(output.endpoint.id).inserted else { return }
    journal.write(.outputAccepted(output.endpoint.id))
  }

  private func outputChanged(_ output: SimulatedOutput) {
    if output.condition?.state == .closed, step == .leaving {
      awaited.remove(output.endpoint.id)
      process.after(.ms(1)) { [self] in rest() }
    }
    let areRefused = outputs.allSatisfy { $0.condition?.state == .refused }
    if recorder == nil, areRefused, !outputs.isEmpty { process.reached(.failed, by: self) }
  }

  private func recorderReported(_ event: Recorder.Event) {
    switch event {
    case .lost(let loss):
      let (from, to) = (loss.at.nanoseconds, (loss.at + loss.duration).nanoseconds)
      tellGap(
        loss.isHeld ? .disk : .diskTooSlow, clock.captured(media: from)..<clock.captured(media: to),
        output: Self.recordingID)
    case .paused:
      isRecordingDone = true
      rest()
    case .failed: isRecordingDone = true
    case .opened, .continuedElsewhere, .disk, .finished, .unfinished: break
    }
  }

  func deviceChanged(_ track: TrackKind) {
    guard clock.isRunning else { return }
    if process.devices.present.contains(track) {
      tellGone(track)
    } else if goneSince[track] == nil {
      goneSince[track] = world.now
    }
  }

  private func tellGone(_ track: TrackKind) {
    guard let since = goneSince.removeValue(forKey: track) else { return }
    for part in clock.parts(of: since..<world.now) {
      let length = MediaTime(nanoseconds: part.captured.length)
      told(track.rawValue, part.captured)
      journal.write(
        .gap(
          Gap(
            .device, wallFrom: process.host.wall(at: since), wallTo: process.host.wall,
            mediaAt: MediaTime(nanoseconds: part.media), lostVideo: track == .video ? length : .zero,
            lostAudio: track == .audio ? length : .zero)))
    }
  }

  /// What was captured then is missing there.
  func tellGap(_ cause: Gap.Cause, _ captured: Range<Int64>, output: String) {
    let parts = clock.parts(of: captured)
    guard let first = parts.first else { return }
    for part in parts { told(output, part.captured) }
    tellGap(
      cause, mediaAt: first.media, length: parts.reduce(0) { $0 + $1.captured.length }, output: output)
  }

  private func tellGap(_ cause: Gap.Cause, mediaAt: Int64, length: Int64, output: String) {
    let lost = MediaTime(nanoseconds: length)
    journal.write(
      .gap(
        Gap(
          cause, output: output, wallFrom: process.host.wall(at: world.now - length),
          wallTo: process.host.wall,
          mediaAt: MediaTime(nanoseconds: mediaAt), lostVideo: lost, lostAudio: lost)))
  }

  private func told(_ id: String, _ captured: Range<Int64>) {
    truth.told(
      id, captured, at: world.now, isRefused: !process.disk.takesLines && process.disk.state != .hung)
  }

  func settle() {
    recorder?.settle()
  }

  func diskChanged() {
    recorder?.diskChanged()
  }

  /// The process is gone.
  func vanish() {
    settle()
    recorder?.vanish()
    for output in outputs {
      truth.forgotten[output.endpoint.id, default: Spans()].insert(output.unsentSince..<world.now)
    }
    for (track, since) in goneSince {
      truth.forgotten[track.rawValue, default: Spans()].insert(since..<world.now)
    }
    truth.pause(at: world.now)
  }
}

/// Lets a journal look at the media clock of a broadcast that is still being made.
private final class ClockReader {
  weak var broadcast: SimulatedBroadcast?

  func mediaTime(at time: Int64) -> Int64? {
    guard let clock = broadcast?.clock, clock.isRunning else { return nil }
    return clock.end(at: time)
  }
}
