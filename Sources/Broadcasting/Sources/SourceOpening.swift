internal import HoldfastCapture
internal import HoldfastFFmpeg
internal import HoldfastMediaModel
internal import HoldfastPlatform

/// Finds what the configuration names, and where it names nothing, what is there.
struct SourceOpening: Sendable {
  let configuration: Configuration
  let mutes: Mutes
  let previews: PreviewPictures
  let report: @Sendable (FeedEvent) -> Void
  private let fileClock = Locked(FileClock())

  init(
    _ configuration: Configuration, _ mutes: Mutes, _ previews: PreviewPictures,
    report: @escaping @Sendable (FeedEvent) -> Void
  ) {
    self.configuration = configuration
    self.mutes = mutes
    self.previews = previews
    self.report = report
  }

  /// Feeds that are not open yet.
  func feeds(_ note: (String) -> Void) throws(CaptureError) -> Feeds {
    Feeds(
      configured: Locked(configuration.sources), video: try video(note), audio: try audio(note),
      fileClock: fileClock)
  }

  private var wanted: VideoFormat {
    VideoFormat(size: configuration.video.size, frameRate: configuration.video.frameRate)
  }

  private var isCopied: Bool { configuration.video.encoder == .copy }

  /// While it is looked at beforehand, a test signal is there like a device.
  private var isLookedAt: Bool { configuration.session.preview }
}

// MARK: - Pictures

extension SourceOpening {
  private func video(_ note: (String) -> Void) throws(CaptureError) -> VideoFeed? {
    switch configuration.video.source {
    case .off: return nil
    case .test: return .pictures(pictures(testPicture))
    case .file(let path): return file(path)
    case .device(let name): return camera(name: name)
    case .supplied(let supplied): return .pictures(pictures(origin(of: supplied)))
    case .automatic:
      guard let first = CameraDescription.all().first else {
        guard !isCopied else { throw Self.noCamera }
        note("there is no camera: the test picture goes on air instead")
        return .pictures(pictures(testPicture))
      }
      return camera(name: first.path)
    }
  }

  /// What takes another one's place: a file begins at once, and again when it has come to its end. Not the camera that is
  /// open already, which is `current`.
  func pictureOrigin(
    of selection: VideoSelection, unless current: DeviceMemory?, beside sound: FilePlace?
  ) throws(CaptureError) -> PictureFeed.Origin {
    switch selection {
    case .off, .test: return continuous(testPicture)
    case .automatic where CameraDescription.all().isEmpty: return continuous(testPicture)
    case .automatic: return try pictureOrigin(of: .device(nil), unless: current, beside: sound)
    case .file(let path):
      let place = FilePlace(path, beside: sound)
      return PictureFeed.Origin(isDevice: true, file: place) { () throws(CaptureError) in
        FeedSource(try FilePictures(path: path, isLooped: true, clock: place.nextClock()))
      }
    case .supplied(let supplied): return origin(of: supplied)
    case .device(let name):
      let path = try DeviceMemory().cameraPath(name)
      guard current?.isCamera(path) != true else { throw Self.isOnAir(.video, path) }
      return camera(DeviceMemory(), name: path)
    }
  }

  private func origin(of supplied: Supplied<any VideoSource>) -> PictureFeed.Origin {
    PictureFeed.Origin(isDevice: true) { FeedSource(supplied.value) }
  }

  private var testPicture: PictureFeed.Origin {
    let wanted = wanted
    return PictureFeed.Origin(isDevice: isLookedAt) { FeedSource(TestPicture(format: wanted)) }
  }

  private func file(_ path: String) -> VideoFeed {
    let (isLooped, clock) = (configuration.loop, fileClock)
    guard isCopied else {
      return .pictures(
        pictures(
          PictureFeed.Origin(isDevice: false, endsByItself: true) { () throws(CaptureError) in
            FeedSource(try FilePictures(path: path, isLooped: isLooped, clock: clock.withLock { $0 }))
          }))
    }
    return .packets(
      packets(
        PacketFeed.Origin(isDevice: false, endsByItself: true) { () throws(CaptureError) in
          FeedSource(try FilePackets(path: path, isLooped: isLooped, clock: clock.withLock { $0 }))
        }))
  }

  private func camera(name: String?) -> VideoFeed {
    let memory = DeviceMemory()
    guard isCopied else { return .pictures(pictures(camera(memory, name: name))) }
    let wanted = wanted
    return .packets(
      packets(
        PacketFeed.Origin(isDevice: true, memory: memory) { () throws(CaptureError) in
          let path = try memory.cameraPath(name)
          let source = try CameraPackets(path: path, requested: wanted)
          memory.keepCamera(path)
          return FeedSource(source, isAfterAbsence: memory.markOpened())
        }))
  }

  private func camera(_ memory: DeviceMemory, name: String?) -> PictureFeed.Origin {
    let wanted = wanted
    return PictureFeed.Origin(isDevice: true, memory: memory) { () throws(CaptureError) in
      let path = try memory.cameraPath(name)
      let source = try Camera(path: path, requested: wanted)
      memory.keepCamera(path)
      return FeedSource(source)
    }
  }

  private func pictures(_ origin: PictureFeed.Origin) -> PictureFeed {
    let (mute, previews) = (PictureMute(mutes[.video]), previews)
    return PictureFeed(
      PictureFeed.Settings(
        track: .video, standIn: { FeedSource(Slate(format: $0.format)) },
        treat: { captured in
          guard let treated = mute.treat(captured) else { return nil }
          previews.look(at: treated.frame)
          return treated
        },
        span: { captured, shape in
          captured.captureTime..<captured.captureTime + shape.format.frameRate.frameDuration
        }, report: report), origin)
  }

  private func packets(_ origin: PacketFeed.Origin) -> PacketFeed {
    // The camera's own encoder can't be imitated: its headers differ.
    PacketFeed(PacketFeed.Settings(track: .video, standIn: { _ in nil }, report: report), origin)
  }

  private func continuous<Taken: ~Copyable, Shape>(
    _ origin: FeedOrigin<Taken, Shape>
  ) -> FeedOrigin<Taken, Shape> {
    var origin = origin
    origin.isDevice = true
    return origin
  }

  private static func isOnAir(_ track: TrackKind, _ device: String) -> CaptureError {
    CaptureError(
      .busy, track, device: device, what: "it is the one that there is already", hint: "choose another one")
  }

  static let noCamera = CaptureError(
    .notFound, .video, device: "camera", what: "there is no camera at all",
    hint: "--video test gives a test picture")
}

// MARK: - Sound

extension SourceOpening {
  private func audio(_ note: (String) -> Void) throws(CaptureError) -> SoundFeed? {
    switch configuration.audio.source {
    case .off: return nil
    case .test: return sound(tone)
    case .supplied(let supplied): return sound(origin(of: supplied))
    case .file(let path):
      let (isLooped, clock) = (configuration.loop, fileClock)
      return sound(
        SoundFeed.Origin(isDevice: false, endsByItself: true) { () throws(CaptureError) in
          FeedSource(try FileSound(path: path, isLooped: isLooped, clock: clock.withLock { $0 }))
        })
    case .device(let name): return sound(microphone(name: name))
    case .automatic:
      guard let pcm = Self.firstMicrophone else {
        note("there is no microphone: the test tone goes on air instead")
        return sound(tone)
      }
      return sound(microphone(name: pcm))
    }
  }

  /// The same for sound.
  func soundOrigin(
    of selection: AudioSelection, unless current: DeviceMemory?, beside pictures: FilePlace?
  ) throws(CaptureError) -> SoundFeed.Origin {
    switch selection {
    case .off, .test: return continuous(tone)
    case .automatic where Self.firstMicrophone == nil: return continuous(tone)
    case .automatic: return try soundOrigin(of: .device(nil), unless: current, beside: pictures)
    case .file(let path):
      let place = FilePlace(path, beside: pictures)
      return SoundFeed.Origin(isDevice: true, file: place) { () throws(CaptureError) in
        FeedSource(try FileSound(path: path, isLooped: true, clock: place.nextClock()))
      }
    case .supplied(let supplied): return origin(of: supplied)
    case .device(let name):
      let pcm = try DeviceMemory().microphonePCM(name)
      guard current?.isMicrophone(pcm) != true else { throw Self.isOnAir(.audio, pcm) }
      return microphone(name: pcm)
    }
  }

  private func origin(of supplied: Supplied<any AudioSource>) -> SoundFeed.Origin {
    SoundFeed.Origin(isDevice: true) { FeedSource(supplied.value) }
  }

  private var tone: SoundFeed.Origin {
    SoundFeed.Origin(isDevice: isLookedAt) { FeedSource(TestTone(format: Configuration.audioFormat)) }
  }

  private func microphone(name: String?) -> SoundFeed.Origin {
    let memory = DeviceMemory()
    return SoundFeed.Origin(isDevice: true, memory: memory) { () throws(CaptureError) in
      let pcm = try memory.microphonePCM(name)
      let source = try Microphone(pcm: pcm, requested: Configuration.audioFormat)
      memory.keep(source, openedAs: pcm)
      return FeedSource(source)
    }
  }

  private func sound(_ origin: SoundFeed.Origin) -> SoundFeed {
    let mute = SoundMute(mutes[.audio])
    return SoundFeed(
      SoundFeed.Settings(
        track: .audio, standIn: { FeedSource(Silence(format: $0.format)) }, treat: { mute.treat($0) },
        span: { block, _ in block.captureTime..<block.captureTime + block.duration }, report: report), origin)
  }

  /// What a sound server offers comes before the bare device, which the server holds.
  static var firstMicrophone: String? {
    Microphone.defaultExists ? "default" : MicrophoneDescription.all().first?.pcm
  }
}
