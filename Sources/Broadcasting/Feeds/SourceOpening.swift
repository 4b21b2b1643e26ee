internal import Capture
internal import FFmpeg
internal import MediaModel
internal import Platform

/// Finds what the configuration names, and where it names nothing, what is there.
struct SourceOpening: Sendable {
  let configuration: Configuration
  let report: @Sendable (FeedEvent) -> Void
  private let fileClock = Locked(FileClock())

  init(_ configuration: Configuration, report: @escaping @Sendable (FeedEvent) -> Void) {
    self.configuration = configuration
    self.report = report
  }

  /// Feeds that are not open yet.
  func feeds(_ note: (String) -> Void) throws(CaptureError) -> Feeds {
    Feeds(
      sources: ConfiguredSources(configuration), video: try video(note), audio: try audio(note),
      fileClock: fileClock)
  }

  private var wanted: VideoFormat {
    VideoFormat(size: configuration.size, frameRate: configuration.frameRate)
  }

  private var isCopied: Bool { configuration.encoder == .copy }
}

// MARK: - Pictures

extension SourceOpening {
  private func video(_ note: (String) -> Void) throws(CaptureError) -> VideoFeed? {
    switch configuration.video {
    case .off: return nil
    case .test: return .pictures(testPicture)
    case .file(let path): return file(path)
    case .camera(let name): return camera(DeviceMemory(), name: name)
    case .automatic:
      guard let first = CameraDescription.all().first else {
        guard !isCopied else { throw Self.noCamera }
        note("there is no camera: the test picture goes on air instead")
        return .pictures(testPicture)
      }
      return camera(DeviceMemory(), name: first.path)
    }
  }

  private var testPicture: PictureFeed {
    let wanted = wanted
    return pictures(isDevice: false) { FeedSource(TestPicture(format: wanted)) }
  }

  private func file(_ path: String) -> VideoFeed {
    let (isLooped, clock) = (configuration.loop, fileClock)
    guard isCopied else {
      return .pictures(
        pictures(isDevice: false) { () throws(CaptureError) in
          FeedSource(try FilePictures(path: path, isLooped: isLooped, clock: clock.withLock { $0 }))
        })
    }
    return .packets(
      packets(isDevice: false) { () throws(CaptureError) in
        FeedSource(try FilePackets(path: path, isLooped: isLooped, clock: clock.withLock { $0 }))
      })
  }

  private func camera(_ memory: DeviceMemory, name: String?) -> VideoFeed {
    let wanted = wanted
    let find = { @Sendable () throws(CaptureError) in try memory.cameraPath(name) }
    guard isCopied else {
      return .pictures(
        pictures(isDevice: true) { () throws(CaptureError) in
          let path = try find()
          let source = try Camera(path: path, wanted: wanted)
          memory.keepCamera(path)
          return FeedSource(source)
        })
    }
    return .packets(
      packets(isDevice: true) { () throws(CaptureError) in
        let path = try find()
        let source = try CameraPackets(path: path, wanted: wanted)
        memory.keepCamera(path)
        return FeedSource(source, isAfterAbsence: memory.markOpened())
      })
  }

  private func pictures(isDevice: Bool, open: @escaping PictureFeed.Opening) -> PictureFeed {
    PictureFeed(
      PictureFeed.Settings(
        track: .video, isDevice: isDevice, open: open,
        standIn: { FeedSource(Slate(format: $0.format)) }, report: report))
  }

  private func packets(isDevice: Bool, open: @escaping PacketFeed.Opening) -> PacketFeed {
    // The camera's own encoder can't be imitated: its headers differ.
    PacketFeed(
      PacketFeed.Settings(
        track: .video, isDevice: isDevice, open: open, standIn: { _ in nil }, report: report))
  }

  static let noCamera = CaptureError(
    .notFound, .video, device: "camera", what: "there is no camera at all",
    hint: "--video test gives a test picture")
}

// MARK: - Sound

extension SourceOpening {
  private func audio(_ note: (String) -> Void) throws(CaptureError) -> SoundFeed? {
    switch configuration.audio {
    case .off: return nil
    case .tone: return tone
    case .file(let path):
      let (isLooped, clock) = (configuration.loop, fileClock)
      return sound(isDevice: false) { () throws(CaptureError) in
        FeedSource(try FileSound(path: path, isLooped: isLooped, clock: clock.withLock { $0 }))
      }
    case .microphone(let name): return microphone(DeviceMemory(), name: name)
    case .automatic:
      guard let pcm = Self.firstMicrophone else {
        note("there is no microphone: the test tone goes on air instead")
        return tone
      }
      return microphone(DeviceMemory(), name: pcm)
    }
  }

  private var tone: SoundFeed {
    sound(isDevice: false) { FeedSource(TestTone(format: Configuration.audioFormat)) }
  }

  private func microphone(_ memory: DeviceMemory, name: String?) -> SoundFeed {
    sound(isDevice: true) { () throws(CaptureError) in
      let pcm = try memory.microphonePCM(name)
      let source = try Microphone(pcm: pcm, wanted: Configuration.audioFormat)
      memory.keep(source, openedAs: pcm)
      return FeedSource(source)
    }
  }

  private func sound(isDevice: Bool, open: @escaping SoundFeed.Opening) -> SoundFeed {
    SoundFeed(
      SoundFeed.Settings(
        track: .audio, isDevice: isDevice, open: open,
        standIn: { FeedSource(Silence(format: $0.format)) }, report: report))
  }

  /// What a sound server offers comes before the bare device, which the server holds.
  static var firstMicrophone: String? {
    Microphone.defaultExists ? "default" : MicrophoneDescription.all().first?.pcm
  }
}
