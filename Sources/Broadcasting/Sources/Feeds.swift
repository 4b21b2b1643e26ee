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

  var feed: any SourceFeed {
    switch self {
    case .pictures(let feed): feed
    case .packets(let feed): feed
    }
  }
}

/// A feed of whichever kind.
protocol SourceFeed: Sendable {
  var track: TrackKind { get }
  var endsByItself: Bool { get }
  /// Which file is on air that has taken another source's place.
  var file: FilePlace? { get }
  /// A device that has been there before will be there again.
  var isExpected: Bool { get }
  /// Opens the source. A device runs from here on.
  func open() throws(CaptureError)
  /// Waits until a device that was opened gives something. Its own limits say when it does not.
  func awaitBeginning() throws(CaptureError)
  /// Goes on without the device, which was open before, and looks for it.
  func openWithout(_ error: CaptureError) throws(CaptureError)
  /// What has not begun yet is opened anew when it does.
  func rewind()
  /// A change that is under way comes to nothing.
  func abandonChange()
  /// Closes the source; what stands in for it ends, too.
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
  private var all: [any SourceFeed] { [video?.feed, audio].compactMap(\.self) }
  var tracks: Set<TrackKind> { Set(all.map(\.track)) }
  /// Tracks whose sources come to an end by themselves.
  var selfEnding: Set<TrackKind> { Set(all.filter(\.endsByItself).map(\.track)) }

  /// Nothing can stand in for a picture that is encoded already.
  var openTracks: OpenTracks {
    if case .packets = video { OpenTracks(tracks, essential: [.video]) } else { OpenTracks(tracks) }
  }

  /// Opens all of them. Devices that were open before and are not there now do not matter as long as there is another
  /// track.
  func open() throws(CaptureError) {
    do throws(CaptureError) {
      let (opened, away) = try all.parted { feed throws(CaptureError) in try feed.open() }
      let (_, silent) = try opened.parted { feed throws(CaptureError) in try feed.awaitBeginning() }
      let missing = away + silent
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

  func abandonChange() {
    for feed in all { feed.abandonChange() }
  }

  /// A broadcast begins: files go on air from their beginning, together.
  func rewind() {
    guard fileClock.withLock({ $0 }).hasBegun else { return }
    for feed in all { feed.rewind() }
    let clock = FileClock()
    fileClock.withLock { $0 = clock }
  }

  /// Another source takes a track's place. What is returned closes the old one, which may take a while.
  func change(
    _ change: SourceChange, with opening: SourceOpening, until limit: MonotonicTime
  ) throws(ChangeError) -> () -> Void {
    do throws(CaptureError) {
      let close: (() -> Void)?
      switch (change, video, audio) {
      case (.video(let selection), .pictures(let feed), _):
        if selection.isAlwaysRaw, selection == sources.video.source { return {} }
        let replaced = SourceOpening.Replaced(memory: feed.memory, other: audio?.file)
        let origin = try opening.origin(of: selection, opening.pictures, replacing: replaced)
        close = try origin.map { origin throws(CaptureError) in try feed.change(to: origin, until: limit) }
      case (.audio(let selection), _, .some(let feed)):
        if selection.isAlwaysRaw, selection == sources.audio.source { return {} }
        let replaced = SourceOpening.Replaced(memory: feed.memory, other: video?.feed.file)
        let origin = try opening.origin(of: selection, opening.sound, replacing: replaced)
        close = try origin.map { origin throws(CaptureError) in try feed.change(to: origin, until: limit) }
      case (.video, .packets, _), (.video, nil, _), (.audio, _, nil): close = nil
      }
      guard let close else {
        throw CaptureError(
          .unsuitable, change.track, device: change.source,
          what: "there is nothing whose place it could take",
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
