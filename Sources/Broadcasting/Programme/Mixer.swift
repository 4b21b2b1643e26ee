import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastMixing
import HoldfastPlatform

/// A programme's tiles, whose sources run as long as any of its tracks is taken. Each track is composed on the thread
/// that takes it; no tile can hold that up.
final class Mixer: Sendable {
  struct Settings: Sendable {
    /// Without tiles of its own, it follows the cast of `control`.
    let programme: Configuration.Programme
    let format: VideoFormat
    let control: ProgrammeControl
    let note: @Sendable (String) -> Void
  }

  let settings: Settings
  private let makeTile: RunningTiles.MakeTile
  private let running = Locked<(attachments: Int, tiles: RunningTiles?)>((0, nil))

  static let soundFormat = Configuration.audioFormat

  init(_ settings: Settings, makeTile: @escaping RunningTiles.MakeTile) {
    (self.settings, self.makeTile) = (settings, makeTile)
  }

  var lineup: Lineup { running.withLock { $0.tiles }?.lineup ?? Lineup() }

  /// Starts the tiles if they don't run, and waits a little until they are there.
  func attach() throws(CaptureError) -> MixerAttachment {
    let (tiles, isFirst) = running.withLock { [settings, makeTile] running in
      running.attachments += 1
      if let tiles = running.tiles { return (tiles, false) }
      let tiles = RunningTiles(settings, makeTile)
      running.tiles = tiles
      return (tiles, true)
    }
    let attachment = MixerAttachment(self)
    if isFirst { try tiles.start() }
    tiles.awaitFirstWords()
    return attachment
  }

  /// Stops the tiles with the last attachment.
  fileprivate func detach() {
    let tiles = running.withLock { running -> RunningTiles? in
      running.attachments -= 1
      return running.attachments == 0 ? running.tiles.take() : nil
    }
    tiles?.stop()
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
        try MixedPictures(mixer: self).run(until: stop, deliver: deliver)
      }
    }
  }

  func sound() throws(CaptureError) -> FeedSource<AudioBlock, AudioProperties> {
    let attachment = try attach()
    return FeedSource(
      properties: AudioProperties(format: Self.soundFormat, hasOwnClock: false), summary: summary
    ) { [self] (stop, deliver) throws(CaptureError) in
      withExtendedLifetime(attachment) { MixedSound(mixer: self).run(until: stop, deliver: deliver) }
    }
  }

  private var summary: String {
    let names = settings.programme.tiles.map(\.name)
    return names.isEmpty ? "the session's stage" : "grid of \(names.joined(separator: ", "))"
  }
}

/// The mixer that all sources of a broadcaster share, so that no tile is opened twice. They keep it: it makes its tiles by
/// what holds this.
final class SharedMixer: Sendable {
  private struct Known {
    let sources: Configuration
    weak var mixer: Mixer?
  }

  private let known = Locked<Known?>(nil)

  /// The known mixer, or a new one if what determines its tiles has changed.
  func mixer(for configuration: Configuration, make: () -> Mixer) -> Mixer {
    var sources = configuration.sources
    (sources.video.source, sources.audio.source) = (.off, .off)
    return known.withLock { known in
      if let known, known.sources == sources, let mixer = known.mixer { return mixer }
      let mixer = make()
      known = Known(sources: sources, mixer: mixer)
      return mixer
    }
  }
}
