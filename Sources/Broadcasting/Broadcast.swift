internal import Capture
internal import FFmpeg
internal import MediaModel
internal import Platform
internal import Recording

/// One broadcast, from its start to its end.
///
/// `run` owns everything that changes, in local variables of its own thread; the lanes, the recorder and whoever wants to
/// stop it send events to its inbox.
public final class Broadcast: Sendable {
  /// What the outside gets to see.
  public enum Observation: Sendable {
    case event(EventLine)
    case note(String)
    case snapshot(Snapshot)
  }

  /// What a broadcast came to.
  public struct Outcome: Sendable {
    /// Nil where nothing was recorded.
    public let report: Report?
    /// Why it could not go on; nil where it ended as asked.
    public let failure: BroadcastError?
  }

  private enum Event: Sendable {
    case lane(LaneEvent)
    case recorder(Recorder.Event)
    case stopRequested
  }

  public let id: String
  private let configuration: Configuration
  private let inbox = BoundedQueue<Event>(capacity: 4096)
  private let observe: @Sendable (Observation) -> Void

  /// How often a snapshot is shown.
  private static let snapshotInterval = MediaTime.milliseconds(250)

  public init(_ configuration: Configuration, observe: @escaping @Sendable (Observation) -> Void) {
    self.configuration = configuration
    self.observe = observe
    let now = WallTime(nanoseconds: wallClockNanoseconds())
    id = now.compact + "-" + String(UInt16.random(in: 0x1000...0xFFFF), radix: 16)
  }

  /// Ends the broadcast from any thread: what was captured is still encoded and recorded.
  public func stop() {
    _ = inbox.offer(.stopRequested)
  }

  /// Runs the broadcast to its end. Whatever ended it, what was recorded until then is whole.
  public func run() -> Outcome {
    silenceFFmpeg()
    tell(.starting)
    do {
      let meters = Meters()
      let (lanes, recorder, tracks) = try open(meters)
      return run(lanes, recorder, meters, Stage(configuration: configuration, tracks: tracks))
    } catch {
      if case .capture(let error) = error {
        tell(.device(track: error.track, state: error.kind == .busy ? .busy : .lost, cause: error.what))
      }
      tell(.ended(reason: .failed, duration: .zero, gaps: 0))
      return Outcome(report: nil, failure: error)
    }
  }

  private func run(_ lanes: [any Lane], _ recorder: Recorder, _ meters: Meters, _ stage: Stage) -> Outcome {
    var stage = stage
    do {
      for lane in lanes { try lane.start() }
      live(&stage, meters, recorder)
    } catch {
      stage.fail(.system("\(error)"))
    }
    for lane in lanes { lane.stop() }
    for lane in lanes { lane.join() }
    recorder.finish()
    inbox.close()
    while let event = inbox.take() { handle(event, &stage, meters) }
    let duration = meters.take().mediaTime
    tell(.ended(reason: stage.endReason, duration: duration, gaps: stage.gaps.count))
    let report = stage.path.map {
      Report(
        duration: duration, recordingPath: $0, recordedBytes: Int64(stage.recordedBytes), gaps: stage.gaps)
    }
    return Outcome(report: report, failure: stage.failure)
  }

  /// Handles events until every track has ended, or its time to do so is over.
  private func live(_ stage: inout Stage, _ meters: Meters, _ recorder: Recorder) {
    var rates = RateMeter()
    var nextSnapshot = MonotonicTime.now + Self.snapshotInterval
    while !stage.isOver(.now) {
      if let event = inbox.take(until: min(nextSnapshot, stage.deadline ?? nextSnapshot)) {
        handle(event, &stage, meters)
      }
      guard nextSnapshot <= .now else { continue }
      nextSnapshot = nextSnapshot + Self.snapshotInterval
      let snapshot = rates.snapshot(
        meters.take(), state: stage.isLive ? .live : .starting, recordedBytes: recorder.bytesWritten, at: .now
      )
      observe(.snapshot(snapshot))
    }
  }

  private func open(
    _ meters: Meters
  ) throws(BroadcastError) -> ([any Lane], Recorder, Set<TrackKind>) {
    do {
      let sources = SourceOpening(configuration: configuration)
      let video = try sources.openVideo { observe(.note($0)) }
      let audio = try sources.openAudio { observe(.note($0)) }
      var tracks: Set<TrackKind> = []
      if video != nil { tracks.insert(.video) }
      if audio != nil { tracks.insert(.audio) }
      let inbox = inbox
      let recorder = try Recorder(path: newRecordingPath(), tracks: tracks) {
        _ = inbox.offer(.recorder($0))
      }
      let surroundings = LaneSurroundings(
        origin: TimeOrigin(tracks: tracks), end: configuration.duration, receivers: [recorder],
        meters: meters,
        report: { _ = inbox.offer(.lane($0)) })
      var lanes: [any Lane] = []
      switch video {
      case .pictures(let source):
        let settings = VideoLane.Settings(configuration)
        lanes.append(try VideoLane(source: source, settings: settings, surroundings: surroundings))
      case .packets(let source):
        lanes.append(try CopyLane(source: source, surroundings: surroundings))
      case nil: break
      }
      if let audio {
        lanes.append(try AudioLane(source: audio, settings: .init(configuration), surroundings: surroundings))
      }
      return (lanes, recorder, tracks)
    } catch let error as CaptureError {
      throw .capture(error)
    } catch let error as RecordingError {
      throw .recording(error)
    } catch {
      throw .system("\(error)")
    }
  }

  private func newRecordingPath() throws(RecordingError) -> String {
    let directory = configuration.recordingDirectory ?? "."
    do {
      try createDirectory(directory)
    } catch {
      throw RecordingError(path: directory, error)
    }
    let stem = recordingStem(name: configuration.name, at: WallTime(nanoseconds: wallClockNanoseconds()))
    let names = sequence(first: 1) { $0 + 1 }.lazy.map { $0 == 1 ? stem : "\(stem)-\($0)" }
    return names.map { "\(directory)/\($0).mp4" }.first { !fileExists($0) } ?? stem
  }

  private func handle(_ event: Event, _ stage: inout Stage, _ meters: Meters) {
    switch event {
    case .stopRequested: stage.stop()
    case .lane(let event): handle(event, &stage)
    case .recorder(let event): handle(event, &stage, meters)
    }
  }

  private func handle(_ event: LaneEvent, _ stage: inout Stage) {
    switch event {
    case .opened(let track, let summary):
      observe(.note("\(track.rawValue): \(summary)"))
      tell(.device(track: track, state: .open, cause: nil))
    case .note(let text): observe(.note(text))
    case .lost(let loss): add(loss, &stage)
    case .sourceFailed(let error):
      tell(.device(track: error.track, state: error.kind == .busy ? .busy : .lost, cause: error.what))
      stage.fail(.capture(error))
    case .encodingFailed(let track, let what): stage.fail(.encoding("\(track.rawValue): \(what)"))
    case .finished(let track, let hasReachedEnd):
      stage.finish(track, hasReachedEnd: hasReachedEnd, at: .now)
    }
  }

  private func handle(_ event: Recorder.Event, _ stage: inout Stage, _ meters: Meters) {
    switch event {
    case .opened(let path):
      stage.path = path
      tell(.recording(path: path, state: .open))
      tell(.live(publishType: .record))
    case .lost(let track, let at, let duration, let packets):
      let loss = TrackLoss(
        track: track, cause: stage.failure == nil ? .diskTooSlow : .disk, mediaAt: at, duration: duration,
        pictures: track == .video ? packets : 0, output: "recording")
      meters.lost(loss)
      add(loss, &stage)
    case .failed(let error, let bytes):
      stage.recordedBytes = bytes
      tell(.recording(path: error.path, state: .failed))
      stage.fail(.recording(error))
    case .finished(let path, let bytes):
      stage.recordedBytes = bytes
      tell(.recording(path: path, state: .finished))
    }
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
    tell(.gap(gap))
  }

  private func tell(_ event: BroadcastEvent) {
    observe(
      .event(EventLine(at: WallTime(nanoseconds: wallClockNanoseconds()), broadcast: id, event: event)))
  }
}

extension VideoLane.Settings {
  fileprivate init(_ configuration: Configuration) {
    let codec = configuration.videoCodec
    let encoders: [EncoderImplementation] =
      switch configuration.encoder {
      case .auto, .copy: EncoderImplementation.candidates(for: codec)
      case .x264: [.software]
      case .vaapi: [.vaapi]
      case .qsv: [.qsv]
      case .nvenc: [.nvenc]
      case .v4l2m2m: [.v4l2m2m]
      }
    self.init(
      codec: codec, encoders: encoders,
      limit: VideoFormat(size: configuration.size, frameRate: configuration.frameRate),
      bitrate: configuration.bitrate, keyframeInterval: configuration.gop)
  }
}

extension AudioLane.Settings {
  fileprivate init(_ configuration: Configuration) {
    self.init(
      codec: configuration.audioCodec, format: Configuration.audioFormat, bitrate: configuration.audioBitrate)
  }
}
