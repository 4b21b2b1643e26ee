import HoldfastCapture
import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastMixing
import HoldfastPlatform

/// The tiles of a programme, whose sources run as long as any of its tracks is taken. Each track is composed on the thread
/// that takes it; no tile can hold that up.
final class Mixer: Sendable {
  struct Settings: Sendable {
    let programme: Configuration.Programme
    let format: VideoFormat
    let control: ProgrammeControl
    let note: @Sendable (String) -> Void
  }

  let settings: Settings
  private let makeTile: @Sendable (TileRequest, _ soundPosition: Int64) throws(CaptureError) -> Tile
  private let running = Locked(Running())

  private struct Running: Sendable {
    var attachments = 0
    var tiles: [Tile] = []
    var beganAt = MonotonicTime(nanoseconds: 0)
  }

  static let soundFormat = Configuration.audioFormat
  /// How long a start waits for the tiles, so that its first picture shows them.
  private static let startPatience = MediaTime.seconds(3)

  init(
    _ settings: Settings,
    makeTile: @escaping @Sendable (TileRequest, _ soundPosition: Int64) throws(CaptureError) -> Tile
  ) {
    (self.settings, self.makeTile) = (settings, makeTile)
  }

  var tiles: [TileState] { running.withLock { $0.tiles.map(\.state) } }

  /// Starts the tiles if they don't run, and waits a little until they are there.
  func attach() throws(CaptureError) -> MixerAttachment {
    let isFirst = running.withLock { running in
      running.attachments += 1
      return running.attachments == 1
    }
    let attachment = MixerAttachment(self)
    if isFirst { try start() }
    let (tiles, limit) = running.withLock { ($0.tiles, $0.beganAt + Self.startPatience) }
    for tile in tiles { _ = tile.state.firstWord.take(until: limit) }
    return attachment
  }

  private func start() throws(CaptureError) {
    let now = MonotonicTime.now
    let position = MixedSound.frame(at: now)
    var tiles: [Tile] = []
    for request in settings.programme.tiles { tiles.append(try makeTile(request, position)) }
    running.withLock { ($0.tiles, $0.beganAt) = (tiles, now) }
    for tile in tiles { try tile.start() }
  }

  /// Stops the tiles with the last attachment.
  fileprivate func detach() {
    let tiles = running.withLock { running -> [Tile] in
      running.attachments -= 1
      guard running.attachments == 0 else { return [] }
      defer { running.tiles = [] }
      return running.tiles
    }
    for tile in tiles { tile.stop() }
  }

  /// The tiles that lack the track now, by name.
  func missing(_ track: TrackKind) -> Set<String> {
    Set(tiles.filter { $0.isMissing(track) }.map(\.name))
  }
}

/// Keeps the tiles running until it is released.
final class MixerAttachment: Sendable {
  private let mixer: Mixer

  fileprivate init(_ mixer: Mixer) { self.mixer = mixer }

  deinit { mixer.detach() }
}

// MARK: - The tracks

extension Mixer {
  func pictures() throws(CaptureError) -> FeedSource<CapturedFrame, VideoProperties> {
    let attachment = try attach()
    return FeedSource(
      properties: VideoProperties(format: settings.format, pixelFormat: .yuv420p), summary: summary
    ) { [self] (stop, deliver) throws(CaptureError) in
      try withExtendedLifetime(attachment) { () throws(CaptureError) in
        try MixedPictures(self).run(until: stop, deliver: deliver)
      }
    }
  }

  func sound() throws(CaptureError) -> FeedSource<AudioBlock, AudioProperties> {
    let attachment = try attach()
    return FeedSource(
      properties: AudioProperties(format: Self.soundFormat, hasOwnClock: false), summary: summary
    ) { [self] (stop, deliver) throws(CaptureError) in
      withExtendedLifetime(attachment) { MixedSound(self).run(until: stop, deliver: deliver) }
    }
  }

  private var summary: String {
    "grid of \(settings.programme.tiles.map(\.name).joined(separator: ", "))"
  }
}

/// The mixer that all sources of a broadcaster share, so that no tile is opened twice.
final class SharedMixer: Sendable {
  private let current = Locked<(sources: Configuration, mixer: Mixer)?>(nil)

  /// The known mixer, or a new one if what determines its tiles has changed.
  func mixer(for configuration: Configuration, make: () -> Mixer) -> Mixer {
    var sources = configuration.sources
    (sources.video.source, sources.audio.source) = (.off, .off)
    return current.withLock { current in
      if let current, current.sources == sources { return current.mixer }
      let mixer = make()
      current = (sources, mixer)
      return mixer
    }
  }
}
