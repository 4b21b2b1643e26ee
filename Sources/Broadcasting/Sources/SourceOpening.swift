import HoldfastCapture
import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastPlatform

/// Opens the configured sources, or those available where none is named.
struct SourceOpening: Sendable {
  struct Replaced {
    let memory: DeviceMemory?
    /// The file on air as the other track.
    let other: FilePlace?
  }

  struct Opener<Medium: SelectableMedium & SendableMetatype, Taken: ~Copyable & Sendable, Shape: Sendable>:
    Sendable
  {
    typealias Source = FeedSource<Taken, Shape>

    let track: TrackKind
    /// Nil if the sources must deliver encoded pictures.
    var test: (@Sendable () -> Source)?
    var supplied: (@Sendable (Medium.Source) -> Source)?
    let file: @Sendable (_ path: String, _ isLooped: Bool, FileClock) throws(CaptureError) -> Source
    let device: @Sendable (DeviceMemory, _ name: String?) throws(CaptureError) -> Source
  }

  let configuration: Configuration
  let mutes: Mutes
  let previews: PreviewPictures
  let note: @Sendable (String) -> Void
  let report: @Sendable (FeedEvent) -> Void
  private let fileClock = Locked(FileClock())

  init(
    _ configuration: Configuration, _ mutes: Mutes, _ previews: PreviewPictures,
    note: @escaping @Sendable (String) -> Void, report: @escaping @Sendable (FeedEvent) -> Void
  ) {
    self.configuration = configuration
    self.mutes = mutes
    self.previews = previews
    self.note = note
    self.report = report
  }

  func feeds() throws(CaptureError) -> Feeds {
    Feeds(
      configured: Locked(configuration.sources), video: try videoFeed(),
      audio: try origin(of: configuration.audio.source, sound).map(soundFeed), fileClock: fileClock)
  }

  /// The origin of a track's source; nil if it is off. A source that replaces another starts at once, like a
  /// device, and a file then loops. Throws if the device is already open.
  func origin<Medium: SendableMetatype, Taken: ~Copyable, Shape>(
    of selection: SourceSelection<Medium>, _ opener: Opener<Medium, Taken, Shape>,
    replacing replaced: Replaced? = nil
  ) throws(CaptureError) -> FeedOrigin<Taken, Shape>? {
    switch selection {
    case .off: return nil
    case .test: return test(opener, isReplacing: replaced != nil)
    case .supplied(let supplied):
      return opener.supplied.map { open in FeedOrigin(isDevice: true) { open(supplied.value) } }
    case .file(let path):
      if let replaced {
        let place = FilePlace(path, beside: replaced.other)
        return FeedOrigin(isDevice: true, file: place) { () throws(CaptureError) in
          try opener.file(path, true, place.nextClock())
        }
      }
      let (isLooped, clock) = (configuration.loop, fileClock)
      return FeedOrigin(isDevice: false, endsByItself: true) { () throws(CaptureError) in
        try opener.file(path, isLooped, clock.withLock { $0 })
      }
    case .device(let name): return try device(name, opener, replacing: replaced)
    case .automatic:
      if let first = DeviceMemory.first(opener.track) {
        return try device(first, opener, replacing: replaced)
      }
      guard let test = test(opener, isReplacing: replaced != nil) else {
        throw DeviceMemory.noDevice(opener.track)
      }
      if replaced == nil { note(opener.track.substitution) }
      return test
    }
  }

  /// With a preview, a test signal runs like a device.
  private func test<Medium: SendableMetatype, Taken: ~Copyable, Shape>(
    _ opener: Opener<Medium, Taken, Shape>, isReplacing: Bool
  ) -> FeedOrigin<Taken, Shape>? {
    let isDevice = isReplacing || configuration.session.preview
    return opener.test.map { open in FeedOrigin(isDevice: isDevice) { open() } }
  }

  private func device<Medium: SendableMetatype, Taken: ~Copyable, Shape>(
    _ name: String?, _ opener: Opener<Medium, Taken, Shape>, replacing replaced: Replaced?
  ) throws(CaptureError) -> FeedOrigin<Taken, Shape> {
    let memory = DeviceMemory(opener.track)
    var name = name
    if let replaced {
      let path = try memory.path(name)
      guard replaced.memory?.isOpen(path) != true else {
        throw CaptureError(
          .busy, opener.track, device: path, what: "it is the one that there is already",
          hint: "choose another one")
      }
      name = path
    }
    return FeedOrigin(isDevice: true, memory: memory) { [name] () throws(CaptureError) in
      try opener.device(memory, name)
    }
  }
}

// MARK: - Pictures

extension SourceOpening {
  private func videoFeed() throws(CaptureError) -> VideoFeed? {
    let source = configuration.video.source
    guard configuration.video.encoder == .copy else {
      return try origin(of: source, pictures).map { .pictures(pictureFeed($0)) }
    }
    // The camera's encoded stream has no stand-in: its headers differ.
    let settings = PacketFeed.Settings(track: .video, standIn: { _ in nil }, report: report)
    return try origin(of: source, packets).map { .packets(PacketFeed(settings, $0)) }
  }

  private var requested: VideoFormat {
    VideoFormat(size: configuration.video.size, frameRate: configuration.video.frameRate)
  }

  var pictures: Opener<PictureMedium, CapturedFrame, VideoShape> {
    let requested = requested
    return Opener(
      track: .video, test: { FeedSource(TestPicture(format: requested)) }, supplied: { FeedSource($0) },
      file: { (path, isLooped, clock) throws(CaptureError) in
        FeedSource(try FilePictures(path: path, isLooped: isLooped, clock: clock))
      },
      device: { (memory, name) throws(CaptureError) in
        let path = try memory.path(name)
        let source = try Camera(path: path, requested: requested)
        memory.keepCamera(path)
        return FeedSource(source)
      })
  }

  private var packets: Opener<PictureMedium, CapturedPacket, Track> {
    let requested = requested
    return Opener(
      track: .video,
      file: { (path, isLooped, clock) throws(CaptureError) in
        FeedSource(try FilePackets(path: path, isLooped: isLooped, clock: clock))
      },
      device: { (memory, name) throws(CaptureError) in
        let path = try memory.path(name)
        let source = try CameraPackets(path: path, requested: requested)
        memory.keepCamera(path)
        return FeedSource(source, isAfterAbsence: memory.markOpened())
      })
  }

  private func pictureFeed(_ origin: PictureFeed.Origin) -> PictureFeed {
    let (mute, previews) = (PictureMute(mutes[.video]), previews)
    return PictureFeed(
      PictureFeed.Settings(
        track: .video, standIn: { FeedSource(Slate(format: $0.format)) },
        treat: { captured in
          guard let treated = mute.treat(captured) else { return nil }
          previews.offer(treated.frame)
          return treated
        },
        span: { captured, shape in
          captured.captureTime..<captured.captureTime + shape.format.frameRate.frameDuration
        }, report: report), origin)
  }
}

// MARK: - Sound

extension SourceOpening {
  var sound: Opener<SoundMedium, AudioBlock, AudioShape> {
    let format = Configuration.audioFormat
    return Opener(
      track: .audio, test: { FeedSource(TestTone(format: format)) }, supplied: { FeedSource($0) },
      file: { (path, isLooped, clock) throws(CaptureError) in
        FeedSource(try FileSound(path: path, isLooped: isLooped, clock: clock))
      },
      device: { (memory, name) throws(CaptureError) in
        let pcm = try memory.path(name)
        let source = try Microphone(pcm: pcm, requested: format)
        memory.keep(source, openedAs: pcm)
        return FeedSource(source)
      })
  }

  private func soundFeed(_ origin: SoundFeed.Origin) -> SoundFeed {
    let mute = SoundMute(mutes[.audio])
    return SoundFeed(
      SoundFeed.Settings(
        track: .audio, standIn: { FeedSource(Silence(format: $0.format)) }, treat: { mute.treat($0) },
        span: { block, _ in block.captureTime..<block.captureTime + block.duration }, report: report), origin)
  }
}

extension TrackKind {
  fileprivate var substitution: String {
    switch self {
    case .video: "there is no camera: the test picture goes on air instead"
    case .audio: "there is no microphone: the test tone goes on air instead"
    }
  }
}

/// A file that replaces another source, kept in sync with the same file in the other track.
final class FilePlace: Sendable {
  let path: String
  private let clock: FileClock
  private let isOpened = Locked(false)

  /// The lead beyond which a second track can't catch up in time.
  private static let farthest = MediaTime.seconds(10)

  /// Shares the clock of `other` if that is the same file, and recently started.
  init(_ path: String, beside other: FilePlace?) {
    self.path = path
    if let other, other.path == path, other.clock.age(at: .now) < Self.farthest {
      clock = other.clock
    } else {
      clock = FileClock()
    }
  }

  /// The shared clock for the first opening, a new one for each reopening.
  func nextClock() -> FileClock {
    let isFirst = isOpened.withLock { isOpened in
      defer { isOpened = true }
      return !isOpened
    }
    return isFirst ? clock : FileClock()
  }
}
