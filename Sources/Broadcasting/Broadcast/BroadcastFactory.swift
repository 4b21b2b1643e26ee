import HoldfastFFmpeg
import HoldfastMP4
import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastPlatform
import HoldfastPublishing
import HoldfastRecording

struct BroadcastFactory {
  let configuration: Configuration
  let feeds: Feeds
  let resumed: ResumedBroadcast?
  let journal: BroadcastJournal?
  let live: LivePackets?
  let finishing: @Sendable (_ path: String) -> Void
  let note: @Sendable (String) -> Void
  let post: @Sendable (BroadcastMachine.Event) -> Void

  func open() throws(BroadcastError) -> BroadcastParts {
    do {
      return try openParts()
    } catch let error as RecordingError {
      throw .recording(error)
    } catch {
      throw .system("\(error)")
    }
  }

  private func openParts() throws -> BroadcastParts {
    feeds.rewind()
    let tracks = feeds.tracks
    let requests = EncoderRequests()
    let timeline = try Timeline(
      tracks: tracks, start: resumed?.mediaEnd ?? .zero, base: resumed?.base ?? .zero,
      stoppedSince: resumed.map { .now - $0.length(until: .now()) },
      framesPerPacket: configuration.audio.codec.framesPerPacket)
    let meters = Meters()
    let recorder = try openRecorder(tracks, timeline, meters, requests)
    let outputs = try openOutputs(tracks, requests)
    let renditions = configuration.liveRenditions
    let live = live?.begin(tracks, renditions)
    let destination = LaneDestination(
      timeline: timeline,
      end: configuration.session.duration.map { $0 - (resumed?.base ?? .zero) },
      receivers: (recorder.map { [$0] } ?? []) + outputs + configuration.receivers.map(\.value)
        + (live.map { [$0] } ?? []),
      meters: meters, selfEnding: { [feeds] in feeds.selfEnding },
      report: { [post] in post(.lane($0)) })
    var switches: [String: OutputSwitch] = [:]
    var planned = configuration.plannedRenditions.map {
      rendition($0, destination, recorder, outputs, &switches)
    }
    for index in planned.indices where renditions.ids.contains(planned[index].planned.id) {
      live.map { planned[index].add($0) }
    }
    let (running, backlog) = (Locked(planned), Locked(0))
    return BroadcastParts(
      lanes: lanes(
        destination, running, switches, viewed: viewed(renditions, destination, live), requests, backlog),
      recorder: recorder, outputs: outputs, timeline: timeline, requests: requests, meters: meters,
      renditions: running, backlog: backlog, live: live)
  }

  /// Makes what viewers of `live` choose and nobody else uses.
  private func viewed(
    _ renditions: LiveRenditions, _ destination: LaneDestination, _ live: LiveReceiver?
  ) -> @Sendable (RenditionID) -> LaneRendition? {
    { id in
      guard let live, let planned = renditions.encodes[id]?.forViewers else { return nil }
      var rendition = LaneRendition(planned, of: destination, to: [])
      rendition.add(live)
      return rendition
    }
  }

  private func rendition(
    _ planned: PlannedRendition, _ destination: LaneDestination, _ recorder: Recorder?, _ outputs: [Output],
    _ switches: inout [String: OutputSwitch]
  ) -> LaneRendition {
    let users = outputs.filter { planned.outputs.contains($0.id) }
    let adaptive = configuration.sharedBitrates
    var packets: [String: PacketSwitch] = [:]
    for user in users where adaptive[user.id] != nil {
      packets[user.id] = PacketSwitch(to: user, from: planned.id)
    }
    var receivers = users.map { packets[$0.id]?.port(for: planned.id) ?? $0 }
    if planned.isRecorded, let recorder { receivers.insert(recorder, at: 0) }
    if planned.isSupplied { receivers += configuration.receivers.map(\.value) }
    let rendition = LaneRendition(planned, of: destination, to: receivers)
    for (id, packets) in packets {
      switches[id] = OutputSwitch(output: id, shared: rendition, packets: packets)
    }
    return rendition
  }

  /// As many packets as a source may send at once after it was held up.
  private static let mostCopied = 1000

  private func lanes(
    _ destination: LaneDestination, _ renditions: Locked<[LaneRendition]>,
    _ switches: [String: OutputSwitch], viewed: @escaping @Sendable (RenditionID) -> LaneRendition?,
    _ requests: EncoderRequests, _ backlog: Locked<Int>
  ) -> [any Lane] {
    var lanes: [any Lane] = []
    switch feeds.video {
    case .pictures(let feed):
      guard let properties = feed.properties else { break }
      let encoding = PictureEncoding(
        properties: properties, settings: .init(configuration), renditions: renditions, viewed: viewed,
        switches: switches, requests: requests, destination: destination, backlog: backlog)
      // Eight pictures are some 270 ms.
      lanes.append(
        FeedLane(
          feed, capacity: 8, to: destination, losses: { $0.lostBefore + 1 }, encode: { try encoding.run($0) })
      )
    case .packets(let feed):
      guard let track = feed.properties else { break }
      let copying = PacketCopying(track: track)
      lanes.append(
        FeedLane(
          feed, capacity: Self.mostCopied, to: destination, losses: { $0.lostBefore + 1 },
          encode: { copying.run($0) }))
    case nil: break
    }
    switch feeds.audio {
    case .sound(let feed):
      guard let properties = feed.properties else { break }
      let encoding = SoundEncoding(
        properties: properties, settings: .init(configuration), destination: destination)
      // Some 3 s: sound needs little time, but has to get it.
      lanes.append(FeedLane(feed, capacity: 150, to: destination, encode: { try encoding.run($0) }))
    case .packets(let feed):
      guard let track = feed.properties else { break }
      let copying = SoundCopying(track: track)
      lanes.append(FeedLane(feed, capacity: Self.mostCopied, to: destination, encode: { copying.run($0) }))
    case nil: break
    }
    return lanes
  }

  private func openOutputs(_ tracks: Set<TrackKind>, _ requests: EncoderRequests) throws -> [Output] {
    let requestKeyframe: (@Sendable () -> Void)? =
      if case .pictures = feeds.video { { requests.add(.keyframe) } } else { nil }
    var outputs: [Output] = []
    for var settings in configuration.outputSettings {
      settings.hasPublished = resumed.map { $0.hasAccepted(settings) } ?? false
      if !settings.tls.isVerified, settings.address.isSecure {
        note(
          "WARNING: \(settings.id): certificate not verified; anyone on the path can read or alter the stream"
        )
      }
      let (id, post) = (settings.id, post)
      outputs.append(
        try Output(
          settings, tracks: tracks, requestKeyframe: requestKeyframe, report: { post(.output(id, $0)) }))
    }
    return outputs
  }

  private func openRecorder(
    _ tracks: Set<TrackKind>, _ timeline: Timeline, _ meters: Meters, _ requests: EncoderRequests
  ) throws -> Recorder? {
    guard let directory = configuration.recording.directory else {
      // Repairs the earlier recording.
      if let path = resumed?.broadcast.recordingPath { _ = try? FragmentedFile.cutTornEnd(of: path) }
      return nil
    }
    do { try createDirectory(directory) } catch { throw RecordingError(path: directory, error) }
    let files = RecordingPaths(directory: directory, name: configuration.name)
    var callbacks = Recorder.Callbacks()
    callbacks.nextPath = { files.next() }
    callbacks.journal = { [journal] in
      journal?.write(.recording(path: absolutePath($0), tracks: $1.fingerprint, origin: $2))
    }
    callbacks.finishing = finishing
    callbacks.requestKeyframe = { requests.add(.keyframe) }
    if configuration.recording.keepGaps { callbacks.standstill = { timeline.stoppedTime(before: $0) } }
    return try Recorder(
      resumed?.recording ?? .new(files.next(), origin: resumed?.base ?? .zero), tracks: tracks,
      settings: RecorderSettings(configuration), callbacks
    ) { [post] event in
      if case .lost(let loss) = event { meters.add(TrackLoss(loss)) }
      post(.recorder(event))
    }
  }
}

extension LaneRendition {
  /// Its viewers get its packets, too.
  fileprivate mutating func add(_ live: LiveReceiver) {
    let receiver = live.begin(planned.id)
    destination.receivers.append(receiver)
    ended = { receiver.end() }
  }
}

extension PictureEncoding.Settings {
  fileprivate init(_ configuration: Configuration) {
    self.init(
      codec: configuration.video.codec, frameRate: configuration.video.frameRate,
      keyframeInterval: configuration.video.gop)
  }
}

extension SoundEncoding.Settings {
  fileprivate init(_ configuration: Configuration) {
    self.init(
      codec: configuration.audio.codec, format: Configuration.audioFormat,
      bitrate: configuration.audio.bitrate)
  }
}

extension RecorderSettings {
  fileprivate init(_ configuration: Configuration) {
    self.init()
    queue = configuration.recording.queue
    mode = configuration.recording.mode
    syncEvery = configuration.recording.syncEvery
    segment = configuration.recording.segment
    disk = DiskLimits(reserve: configuration.recording.diskReserve)
    expected = configuration.session.duration
    waitsForRoom = !configuration.outputs.requests.isEmpty
  }
}

/// The files in which broadcasts of a name are recorded.
struct RecordingPaths: Sendable {
  let directory: String
  let name: String

  static func stem(name: String, at instant: WallTime) -> String { "\(name)-\(instant.compact)" }

  /// An unused path named after the current time.
  func next() -> String {
    let stem = Self.stem(name: name, at: WallTime.now)
    let names = sequence(first: 1) { $0 + 1 }.lazy.map { $0 == 1 ? stem : "\(stem)-\($0)" }
    return names.map { "\(directory)/\($0).mp4" }.first { !isTaken($0) } ?? "\(directory)/\(stem).mp4"
  }
}
