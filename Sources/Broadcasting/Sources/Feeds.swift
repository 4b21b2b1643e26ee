internal import HoldfastCapture
internal import HoldfastMediaModel
internal import HoldfastPlatform

typealias PictureFeed = Feed<CapturedFrame, VideoShape>
typealias PacketFeed = Feed<CapturedPacket, Track>
typealias SoundFeed = Feed<AudioBlock, AudioShape>

/// Where the picture comes from: raw, or encoded already.
enum VideoFeed: Sendable {
  case pictures(PictureFeed)
  case packets(PacketFeed)
}

/// A feed of whichever kind.
protocol SourceFeed: Sendable {
  /// A device that has been there before will be there again.
  var isExpected: Bool { get }
  func open() throws(CaptureError)
  func awaitBeginning() throws(CaptureError)
  func openWithout(_ error: CaptureError) throws(CaptureError)
  func rewind()
  func close()
}

/// The sources of a broadcaster's broadcasts.
struct Feeds: Sendable {
  /// As of now: one may take another one's place.
  let configured: Locked<Configuration>
  let video: VideoFeed?
  let audio: SoundFeed?
  /// Files begin together, with each broadcast anew.
  let fileClock: Locked<FileClock>

  var sources: Configuration { configured.withLock { $0 } }

  /// Tracks whose sources come to an end by themselves.
  var selfEnding: Set<TrackKind> {
    var tracks: Set<TrackKind> = []
    switch video {
    case .pictures(let feed) where feed.endsByItself: tracks.insert(.video)
    case .packets(let feed) where feed.endsByItself: tracks.insert(.video)
    case .pictures, .packets, nil: break
    }
    if audio?.endsByItself == true { tracks.insert(.audio) }
    return tracks
  }

  var tracks: Set<TrackKind> {
    var tracks: Set<TrackKind> = []
    if video != nil { tracks.insert(.video) }
    if audio != nil { tracks.insert(.audio) }
    return tracks
  }

  /// Nothing can stand in for a picture that is encoded already.
  var openTracks: OpenTracks {
    if case .packets = video { OpenTracks(tracks, essential: [.video]) } else { OpenTracks(tracks) }
  }

  /// Opens all of them. Devices that were open before and are not there now do not matter as long as there is another
  /// track.
  func open() throws(CaptureError) {
    do throws(CaptureError) {
      let (opened, away) = try all.parted { feed throws(CaptureError) in try feed.open() }
      let (_, mute) = try opened.parted { feed throws(CaptureError) in try feed.awaitBeginning() }
      let missing = away + mute
      if let first = missing.first, missing.count == all.count { throw first.error }
      for (feed, error) in missing { try feed.openWithout(error) }
    } catch {
      close()
      throw error
    }
  }

  func close() {
    for feed in all { feed.close() }
  }

  /// A broadcast begins: files go on air from their beginning, together.
  func rewind() {
    guard fileClock.withLock({ $0 }).hasBegun else { return }
    for feed in all { feed.rewind() }
    let clock = FileClock()
    fileClock.withLock { $0 = clock }
  }

  private var all: [any SourceFeed] {
    var all: [any SourceFeed] = []
    switch video {
    case .pictures(let feed): all.append(feed)
    case .packets(let feed): all.append(feed)
    case nil: break
    }
    if let audio { all.append(audio) }
    return all
  }
}

extension [any SourceFeed] {
  /// Those with which `step` succeeds, and those that are expected, with which it doesn't. Throws what any other says.
  fileprivate func parted(
    _ step: (any SourceFeed) throws(CaptureError) -> Void
  ) throws(CaptureError) -> ([any SourceFeed], [(feed: any SourceFeed, error: CaptureError)]) {
    var fine: [any SourceFeed] = []
    var failed: [(feed: any SourceFeed, error: CaptureError)] = []
    for feed in self {
      do throws(CaptureError) {
        try step(feed)
        fine.append(feed)
      } catch {
        guard feed.isExpected else { throw error }
        failed.append((feed, error))
      }
    }
    return (fine, failed)
  }
}
