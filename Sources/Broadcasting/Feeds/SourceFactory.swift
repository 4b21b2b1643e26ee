import HoldfastCapture
import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastPlatform
import HoldfastPublishing

/// Opens the configured sources.
struct SourceFactory: Sendable {
  struct Replaced {
    let device: KnownDevice?
    /// The file on air as the other track.
    let other: ReplacementFile?
  }

  struct Opener<Medium: SelectableMedium, Item: ~Copyable & Sendable, Properties: Sendable>: Sendable {
    typealias Source = FeedSource<Item, Properties>

    let track: TrackKind
    /// Nil if the sources must deliver encoded pictures.
    var test: (@Sendable () -> Source)?
    var supplied: (@Sendable (Medium.Source) -> Source)?
    /// Nil if there is none of this kind.
    var screen: (@Sendable (ScreenSelection) throws(CaptureError) -> Source)?
    let file: @Sendable (_ path: String, _ isLooped: Bool, FileClock) throws(CaptureError) -> Source
    let device: @Sendable (KnownDevice, _ name: String?) throws(CaptureError) -> Source
    let network: @Sendable (NetworkStream, Wakeup?) throws(CaptureError) -> Source
    /// Nil if the tiles can't be composed for it.
    var grid: (@Sendable (Mixer) throws(CaptureError) -> Source)?
  }

  let configuration: Configuration
  let mutes: Mutes
  let loudness: LoudnessMeter
  let previews: PreviewPictures
  let programme: ProgrammeControl
  let sharedMixer: SharedMixer
  let note: @Sendable (String) -> Void
  let report: @Sendable (FeedEvent) -> Void
  private let fileClock = Locked(FileClock())
  /// Both tracks of one address share a connection.
  private let streams = Locked<[SourceAddress: NetworkStream]>([:])

  func feeds() throws(CaptureError) -> Feeds {
    fileClock.withLock { $0 = FileClock(isCopied: configuration.video.encoder == .copy) }
    return Feeds(
      configured: Locked(configuration.sources), video: try videoFeed(),
      audio: try audioFeed(), fileClock: fileClock)
  }

  /// The origin of a track's source; nil if it is off. A source that replaces another starts at once, like a
  /// device, and a file then loops. Throws if the device is already open.
  func origin<Medium: SendableMetatype, Item: ~Copyable, Properties>(
    of selection: SourceSelection<Medium>, _ opener: Opener<Medium, Item, Properties>,
    from stream: NetworkStream? = nil, replacing replaced: Replaced? = nil
  ) throws(CaptureError) -> FeedOrigin<Item, Properties>? {
    switch selection {
    case .off: return nil
    case .test:
      // With a preview, a test signal runs like a device.
      let outlivesBroadcasts = replaced != nil || configuration.session.preview
      return opener.test.map { open in FeedOrigin(outlivesBroadcasts: outlivesBroadcasts) { _ in open() } }
    case .supplied(let supplied):
      return opener.supplied.map { open in
        FeedOrigin(outlivesBroadcasts: true, limits: SourceLimits()) { _ in open(supplied.value) }
      }
    case .file(let path):
      if let replaced {
        let replacement = ReplacementFile(path, beside: replaced.other)
        return FeedOrigin(outlivesBroadcasts: true, file: replacement) { _ throws(CaptureError) in
          try opener.file(path, true, replacement.nextClock())
        }
      }
      let (isLooped, clock) = (configuration.loop, fileClock)
      return FeedOrigin(outlivesBroadcasts: false, endsByItself: true) { _ throws(CaptureError) in
        try opener.file(path, isLooped, clock.withLock { $0 })
      }
    case .screen(let screen):
      return opener.screen.map { open in
        FeedOrigin(
          outlivesBroadcasts: true, device: KnownDevice(opener.track),
          isAwaited: configuration.session.waitsForDevices
        ) { _ throws(CaptureError) in try open(screen) }
      }
    case .device(let name): return try device(name, opener, replacing: replaced)
    case .grid, .stage: return opener.grid.map { grid($0) }
    case .network(let address):
      let stream = stream ?? self.stream(address)
      return FeedOrigin(outlivesBroadcasts: true, network: stream, isAwaited: true) {
        (stop) throws(CaptureError) in try opener.network(stream, stop)
      }
    }
  }

  private func stream(_ address: SourceAddress) -> NetworkStream {
    streams.withLock { streams in
      if let stream = streams[address] { return stream }
      let stream = newStream(address)
      streams[address] = stream
      return stream
    }
  }

  func newStream(_ address: SourceAddress, trusting caFile: String? = nil) -> NetworkStream {
    var settings = NetworkSettings(address)
    settings.latency = configuration.sourceLatency
    settings.connectTimeout = configuration.outputs.connectTimeout
    settings.stallTimeout = configuration.outputs.stallTimeout
    settings.caFile = caFile ?? configuration.outputs.tlsCA
    settings.isVerified = !configuration.outputs.tlsInsecure
    settings.usesUDP = configuration.outputs.rtspTransport == .udp
    return NetworkStream(settings)
  }

  private func device<Medium: SendableMetatype, Item: ~Copyable, Properties>(
    _ name: String?, _ opener: Opener<Medium, Item, Properties>, replacing replaced: Replaced?
  ) throws(CaptureError) -> FeedOrigin<Item, Properties> {
    let device = KnownDevice(opener.track)
    var name = name
    if let replaced {
      let path = try device.path(name)
      guard replaced.device?.isOpen(path) != true else {
        throw CaptureError(
          .busy, opener.track, device: path, what: "this is the current source",
          hint: "choose another device")
      }
      name = path
    }
    return FeedOrigin(
      outlivesBroadcasts: true, device: device, isAwaited: configuration.session.waitsForDevices
    ) { [name] _ throws(CaptureError) in
      try opener.device(device, name)
    }
  }
}

// MARK: - Pictures

extension SourceFactory {
  private func videoFeed() throws(CaptureError) -> VideoFeed? {
    let source = configuration.video.source
    guard configuration.video.encoder == .copy else {
      return try origin(of: source, pictures).map { .pictures(pictureFeed($0)) }
    }
    return try origin(of: source, packets).map { .packets(PacketFeed(packetSettings(.video), $0)) }
  }

  /// An encoded stream has no stand-in: its headers differ.
  private func packetSettings(_ track: TrackKind) -> PacketFeed.Settings {
    PacketFeed.Settings(track: track, standIn: { _ in nil }, note: note, report: report)
  }

  var requested: VideoFormat {
    VideoFormat(size: configuration.capturedSize, frameRate: configuration.video.frameRate)
  }

  var pictures: Opener<PictureMedium, CapturedFrame, VideoProperties> {
    let requested = requested
    return Opener(
      track: .video, test: { FeedSource(TestPicture(format: requested)) }, supplied: { FeedSource($0) },
      screen: { (screen) throws(CaptureError) in
        FeedSource(try Screen(screen, rate: requested.frameRate))
      },
      file: { (path, isLooped, clock) throws(CaptureError) in
        FeedSource(try FilePictures(path: path, isLooped: isLooped, clock: clock))
      },
      device: { (device, name) throws(CaptureError) in
        let path = try device.path(name)
        let source = try Camera(path: path, requested: requested)
        device.keepCamera(path)
        return FeedSource(source)
      },
      network: { (stream, stop) throws(CaptureError) in FeedSource(try NetworkPictures(stream, stop)) },
      grid: { (mixer) throws(CaptureError) in try mixer.pictures() })
  }

  private var packets: Opener<PictureMedium, CapturedPacket, Track> {
    let requested = requested
    return Opener(
      track: .video,
      file: { (path, isLooped, clock) throws(CaptureError) in
        FeedSource(try FilePackets(path: path, isLooped: isLooped, clock: clock))
      },
      device: { (device, name) throws(CaptureError) in
        let path = try device.path(name)
        let source = try CameraPackets(path: path, requested: requested)
        device.keepCamera(path)
        return FeedSource(source, isAfterOutage: device.markOpened())
      },
      network: { (stream, stop) throws(CaptureError) in
        FeedSource(try NetworkPackets(stream, .video, stop), isAfterOutage: stop != nil)
      })
  }

  private func pictureFeed(_ origin: PictureFeed.Origin) -> PictureFeed {
    let (mute, previews) = (PictureMute(mutes[.video]), previews)
    return PictureFeed(
      PictureFeed.Settings(
        track: .video,
        awaited: VideoProperties(format: requested, pixelFormat: .yuv420p),
        standIn: { FeedSource(Slate(format: $0.format)) },
        process: { captured in
          guard let processed = mute.process(captured) else { return nil }
          previews.offer(processed.frame)
          return processed
        },
        span: { captured, properties in
          captured.captureTime..<captured.captureTime + properties.format.frameRate.frameDuration
        }, note: note, report: report), origin)
  }
}

// MARK: - Sound

extension SourceFactory {
  var sound: Opener<SoundMedium, AudioBlock, AudioProperties> {
    let format = Configuration.audioFormat
    return Opener(
      track: .audio, test: { FeedSource(TestTone(format: format)) }, supplied: { FeedSource($0) },
      file: { (path, isLooped, clock) throws(CaptureError) in
        FeedSource(try FileSound(path: path, isLooped: isLooped, clock: clock))
      },
      device: { (device, name) throws(CaptureError) in
        let pcm = try device.path(name)
        let source = try Microphone(pcm: pcm, requested: format)
        device.keep(source, openedAs: pcm)
        return FeedSource(source)
      },
      network: { (stream, stop) throws(CaptureError) in FeedSource(try NetworkSound(stream, stop)) },
      grid: { (mixer) throws(CaptureError) in try mixer.sound() })
  }

  /// With an encoder to copy, a network source's sound is copied, too.
  private func audioFeed() throws(CaptureError) -> AudioFeed? {
    let source = configuration.audio.source
    guard configuration.video.encoder == .copy, let address = source.address else {
      return try origin(of: source, sound).map { .sound(soundFeed($0)) }
    }
    let stream = stream(address)
    let origin = PacketFeed.Origin(outlivesBroadcasts: true, network: stream) { (stop) throws(CaptureError) in
      FeedSource(try NetworkPackets(stream, .audio, stop), isAfterOutage: stop != nil)
    }
    return .packets(PacketFeed(packetSettings(.audio), origin))
  }

  private func soundFeed(_ origin: SoundFeed.Origin) -> SoundFeed {
    let (mute, loudness) = (SoundMute(mutes[.audio]), loudness)
    return SoundFeed(
      SoundFeed.Settings(
        track: .audio,
        awaited: AudioProperties(format: Configuration.audioFormat, hasOwnClock: true),
        standIn: { FeedSource(Silence(format: $0.format)) },
        process: { captured in
          let block = mute.process(captured)
          loudness.add(block)
          return block
        },
        span: { block, _ in block.captureTime..<block.captureTime + block.duration }, note: note,
        report: report), origin)
  }
}

struct FeedOrigin<Item: ~Copyable & Sendable, Properties: Sendable>: Sendable {
  /// The source runs from `open` on, with or without a broadcast.
  var outlivesBroadcasts: Bool
  var endsByItself = false
  var file: ReplacementFile?
  var device: KnownDevice?
  var network: NetworkStream?
  /// Waited for before it has ever delivered.
  var isAwaited = false
  /// Nil for Holdfast's own sources, which limit their waits themselves.
  var limits: SourceLimits?
  /// Opens the source; a known device is found again wherever it is plugged in. A network source is waited for
  /// until the wakeup signals; without one, for a second.
  let open: @Sendable (Wakeup?) throws(CaptureError) -> FeedSource<Item, Properties>

  /// The cause of what is missing while a stand-in replaces the source.
  var outageCause: Gap.Cause { network == nil ? .device : .source }
}

/// How long to wait for a source whose code is the program's and may block.
struct SourceLimits: Sendable {
  var firstItem = MediaTime.seconds(5)
  /// After this time without returning, its thread is abandoned.
  var stop = MediaTime.seconds(1)
}
