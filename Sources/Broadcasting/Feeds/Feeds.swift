import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastPlatform

typealias PictureFeed = Feed<CapturedFrame, VideoProperties>
typealias PacketFeed = Feed<CapturedPacket, Track>
typealias SoundFeed = Feed<AudioBlock, AudioProperties>

enum VideoFeed: Sendable {
  case pictures(PictureFeed)
  case packets(PacketFeed)

  var feed: any SourceFeed {
    switch self {
    case .pictures(let feed): feed
    case .packets(let feed): feed
    }
  }
}

enum AudioFeed: Sendable {
  case sound(SoundFeed)
  case packets(PacketFeed)

  var feed: any SourceFeed {
    switch self {
    case .sound(let feed): feed
    case .packets(let feed): feed
    }
  }
}

protocol SourceFeed: Sendable {
  var track: TrackKind { get }
  var endsByItself: Bool { get }
  /// The file on air after a switch to it.
  var file: ReplacementFile? { get }
  func isExpected(despite error: CaptureError) -> Bool
  /// Opens the source, and starts a device.
  func open() throws(CaptureError)
  /// Waits until an opened device delivers its first item or its own timeout expires.
  func awaitFirstItem() throws(CaptureError)
  /// Starts without a device that was open before, and searches for it.
  func openWithout(_ error: CaptureError) throws(CaptureError)
  /// Discards a file opened in advance, so that it is reopened at its start.
  func rewind()
  func abandonChange()
  func close()
}

struct Feeds: Sendable {
  /// The current source settings, updated by switches.
  let configured: Locked<Configuration>
  let video: VideoFeed?
  let audio: AudioFeed?
  let fileClock: Locked<FileClock>

  var sources: Configuration { configured.withLock { $0 } }
  private var all: [any SourceFeed] { [video?.feed, audio?.feed].compactMap(\.self) }
  var tracks: Set<TrackKind> { Set(all.map(\.track)) }
  var selfEnding: Set<TrackKind> { Set(all.filter(\.endsByItself).map(\.track)) }

  /// An encoded picture has no stand-in.
  var openTracks: OpenTracks {
    if case .packets = video { OpenTracks(tracks, essential: [.video]) } else { OpenTracks(tracks) }
  }

  /// Opens all sources. Missing devices that were open before are tolerated as long as another track is
  /// available, or is a network source.
  func open() throws(CaptureError) {
    do throws(CaptureError) {
      let (opened, away) = try all.partitioned { feed throws(CaptureError) in try feed.open() }
      let (_, silent) = try opened.partitioned { feed throws(CaptureError) in try feed.awaitFirstItem() }
      let missing = away + silent
      if let first = missing.first, missing.count == all.count, missing.allSatisfy({ !$0.error.isRemote }) {
        throw first.error
      }
      for (feed, error) in missing { try feed.openWithout(error) }
    } catch {
      close()
      throw error
    }
  }

  func close() {
    for feed in all { feed.close() }
  }

  func abandonChange() {
    for feed in all { feed.abandonChange() }
  }

  /// Restarts the files together for a new broadcast.
  func rewind() {
    let old = fileClock.withLock { $0 }
    guard old.hasBegun else { return }
    for feed in all { feed.rewind() }
    let clock = old.restarted()
    fileClock.withLock { $0 = clock }
  }

  /// Switches the source of a track. The returned closure closes the old source, which may block.
  func change(
    _ change: SourceChange, with factory: SourceFactory, until limit: MonotonicTime
  ) throws(ChangeError) -> () -> Void {
    do throws(CaptureError) {
      let close: (() -> Void)?
      switch (change, video, audio) {
      case (.video(let selection), .pictures(let feed), _):
        if selection.isAlwaysRaw, selection == sources.video.source { return {} }
        let replaced = SourceFactory.Replaced(device: feed.device, other: audio?.feed.file)
        let origin = try factory.origin(of: selection, factory.pictures, replacing: replaced)
        close = try origin.map { origin throws(CaptureError) in try feed.change(to: origin, until: limit) }
      case (.audio(let selection), _, .sound(let feed)):
        if selection.isAlwaysRaw, selection == sources.audio.source { return {} }
        let replaced = SourceFactory.Replaced(device: feed.device, other: video?.feed.file)
        let origin = try factory.origin(of: selection, factory.sound, replacing: replaced)
        close = try origin.map { origin throws(CaptureError) in try feed.change(to: origin, until: limit) }
      case (.video, .packets, _), (.video, nil, _), (.audio, _, .packets), (.audio, _, nil): close = nil
      }
      guard let close else {
        throw CaptureError(
          .unsuitable, change.track, device: change.source,
          what: "the broadcast has no track that it could replace",
          hint: "start it with --\(change.track.rawValue)")
      }
      configured.withLock { $0 = change.applied(to: $0) }
      return close
    } catch {
      throw ChangeError(error)
    }
  }
}

extension [any SourceFeed] {
  /// Feeds for which `step` succeeds, and expected ones for which it fails. Throws any other error.
  fileprivate func partitioned(
    _ step: (any SourceFeed) throws(CaptureError) -> Void
  ) throws(CaptureError) -> ([any SourceFeed], [(feed: any SourceFeed, error: CaptureError)]) {
    var fine: [any SourceFeed] = []
    var failed: [(feed: any SourceFeed, error: CaptureError)] = []
    for feed in self {
      do throws(CaptureError) {
        try step(feed)
        fine.append(feed)
      } catch {
        guard feed.isExpected(despite: error) else { throw error }
        failed.append((feed, error))
      }
    }
    return (fine, failed)
  }
}
