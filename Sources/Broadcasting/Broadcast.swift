internal import Capture
internal import FFmpeg
internal import Glibc
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
  /// How long a track may take to come to its end by itself.
  private static let drainLimit = MediaTime.seconds(2)

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

  /// Runs the broadcast to its end, and answers what it came to.
  public func run() throws(BroadcastError) -> Report {
    silenceFFmpeg()
    tell(.starting)
    var stage = Stage(configuration: configuration)
    let meters = Meters()
    let (lanes, recorder) = try open(&stage, meters)
    do {
      for lane in lanes { try lane.start() }
    } catch {
      stage.fail(.system("\(error)"))
    }
    live(&stage, lanes, meters, recorder)
    for lane in lanes { lane.stop() }
    for lane in lanes { lane.join() }
    recorder.finish()
    inbox.close()
    while let event = inbox.take() { handle(event, &stage) }
    let values = meters.take()
    let reason = stage.endReason
    tell(.ended(reason: reason, duration: values.mediaTime, gaps: stage.gaps.count))
    if let failure = stage.failure { throw failure }
    return Report(
      duration: values.mediaTime, recordingPath: stage.path, recordedBytes: Int64(stage.recordedBytes),
      gaps: stage.gaps)
  }

  /// Handles events until every track has ended, or its time to do so is over.
  private func live(_ stage: inout Stage, _ lanes: [any Lane], _ meters: Meters, _ recorder: Recorder) {
    var rates = RateMeter()
    var nextSnapshot = MonotonicTime.now + Self.snapshotInterval
    while !stage.isOver(.now), stage.finished.count < lanes.count {
      if let event = inbox.take(until: min(nextSnapshot, stage.deadline ?? nextSnapshot)) {
        handle(event, &stage)
      }
      stage.startDraining(until: .now + Self.drainLimit)
      guard nextSnapshot <= .now else { continue }
      nextSnapshot = nextSnapshot + Self.snapshotInterval
      observe(
        .snapshot(
          rates.snapshot(
            meters.take(), state: stage.isLive ? .live : .starting, recordedBytes: recorder.bytesWritten,
            at: .now)))
    }
  }

  private func open(_ stage: inout Stage, _ meters: Meters) throws(BroadcastError) -> ([any Lane], Recorder) {
    do {
      let sources = SourceOpening(configuration: configuration)
      let video = try sources.openVideo { observe(.note($0)) }
      let audio = try sources.openAudio { observe(.note($0)) }
      var tracks: Set<TrackKind> = []
      if video != nil { tracks.insert(.video) }
      if audio != nil { tracks.insert(.audio) }
      let inbox = inbox
      stage.path = try newRecordingPath()
      let recorder = try Recorder(path: stage.path, tracks: tracks) { _ = inbox.offer(.recorder($0)) }
      let surroundings = LaneSurroundings(
        origin: TimeOrigin(tracks: tracks), end: configuration.duration, receivers: [recorder],
        meters: meters,
        report: { _ = inbox.offer(.lane($0)) })
      var lanes: [any Lane] = []
      switch video {
      case .pictures(let source):
        let lane = try VideoLane(source: source, settings: .init(configuration), surroundings: surroundings)
        lanes.append(lane)
      case .packets(let source): lanes.append(try CopyLane(source: source, surroundings: surroundings))
      case nil: break
      }
      if let audio {
        lanes.append(try AudioLane(source: audio, settings: .init(configuration), surroundings: surroundings))
      }
      return (lanes, recorder)
    } catch let error as CaptureError {
      tell(.device(track: error.track, state: error.kind == .busy ? .busy : .lost, cause: error.what))
      tell(.ended(reason: .failed, duration: .zero, gaps: 0))
      throw .capture(error)
    } catch let error as RecordingError {
      tell(.ended(reason: .failed, duration: .zero, gaps: 0))
      throw .recording(error)
    } catch {
      tell(.ended(reason: .failed, duration: .zero, gaps: 0))
      throw .system("\(error)")
    }
  }

  private func newRecordingPath() throws(RecordingError) -> String {
    let directory = configuration.recordingDirectory ?? "."
    do {
      try createDirectory(directory)
    } catch {
      throw RecordingError(path: directory, what: "\(error)")
    }
    let name = recordingName(name: configuration.name, at: WallTime(nanoseconds: wallClockNanoseconds()))
    let stem = "\(directory)/\(name.dropLast(4))"
    let suffix =
      sequence(first: 1) { $0 + 1 }.first { !fileExists(stem + ($0 == 1 ? "" : "-\($0)") + ".mp4") } ?? 1
    return stem + (suffix == 1 ? "" : "-\(suffix)") + ".mp4"
  }

  private func handle(_ event: Event, _ stage: inout Stage) {
    switch event {
    case .stopRequested: stage.stop()
    case .lane(let event): handle(event, &stage)
    case .recorder(let event): handle(event, &stage)
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
    case .finished(let track): stage.finished.insert(track)
    }
  }

  private func handle(_ event: Recorder.Event, _ stage: inout Stage) {
    switch event {
    case .opened(let path):
      stage.isLive = true
      tell(.recording(path: path, state: .open))
      tell(.live(publishType: .record))
    case .lost(let track, let at, let duration):
      add(TrackLoss(track: track, cause: .diskTooSlow, mediaAt: at, duration: duration), &stage)
    case .failed(let error):
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
      loss.cause, wallFrom: WallTime(nanoseconds: now - loss.duration.nanoseconds),
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
