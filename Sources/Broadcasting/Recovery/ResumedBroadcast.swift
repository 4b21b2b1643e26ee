import HoldfastMP4
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastPublishing
import HoldfastRecording

/// An unfinished broadcast of another process, and where it resumes.
struct ResumedBroadcast: Sendable {
  let broadcast: UnfinishedBroadcast
  /// Where the recording continues; nil if nothing is recorded.
  let recording: Recorder.Destination?
  /// The media time at which it resumes: the end of the recording.
  let mediaEnd: MediaTime
  /// The origin of the lanes' time: the end of the sound, so that its packets are contiguous.
  let base: MediaTime
  /// When the media at `mediaEnd` was captured.
  let since: JournalInstant
  /// Additional loss of each track that ended earlier.
  let extraLoss: [TrackKind: MediaTime]
  let window: MediaTime

  /// The limit of plausible times in damaged data.
  private static let longest = MediaTime.seconds(3650 * 86_400)

  /// A recording that ends more than this before the journaled end of the broadcast is not continued.
  private static let maxUnwritten = MediaTime.seconds(60)

  /// `note` receives why the recording can't be continued.
  init(_ broadcast: UnfinishedBroadcast, _ configuration: Configuration, note: (String) -> Void) {
    self.broadcast = broadcast
    window = configuration.session.resumeWindow
    let written = broadcast.recordings.last { fileExists($0.path) }?.path ?? broadcast.recordingPath
    let path = configuration.recording.directory.flatMap { folder in
      written.map { Self.shown($0, in: folder) }
    }
    var fileOrigin = MediaTime.zero
    var known: FragmentedFile?
    if let path, let written {
      do {
        (known, fileOrigin) = try Self.end(of: path, announcedAs: written, broadcast)
      } catch {
        note("\(path): \(error); the recording continues in another file")
      }
    }
    mediaEnd = known.map { fileOrigin + $0.end } ?? min(broadcast.mediaTime, Self.longest)
    let soundEnd = known?.end(of: .audio).map { fileOrigin + $0 } ?? mediaEnd
    base = max(.zero, soundEnd - configuration.audio.codec.firstPacketTime)
    let (end, origin) = (mediaEnd, base)
    recording = path.map { path in
      known.map { .continuing(path, $0, fileOrigin: fileOrigin, origin: origin) }
        ?? .new(RecordingName.freePart(of: path), origin: origin)
    }
    let ends = TrackKind.allCases.compactMap { kind in
      known?.end(of: kind).map { (kind, end - fileOrigin - $0) }
    }
    extraLoss = Dictionary(uniqueKeysWithValues: ends)
    since = broadcast.instant(of: mediaEnd)
  }

  /// The end of the file and its origin.
  private static func end(
    of path: String, announcedAs written: String, _ broadcast: UnfinishedBroadcast
  ) throws -> (FragmentedFile, origin: MediaTime) {
    let known = try FragmentedFile(endOf: path)
    let origin = broadcast.origin(of: known, announcedAs: written)
    guard known.end < longest, origin.nanoseconds.magnitude < longest.nanoseconds else {
      throw FragmentedFileError.tooLarge("it ends at \(known.end)")
    }
    guard origin + known.end + maxUnwritten > broadcast.mediaTime else {
      throw FragmentedFileError.unreadable("it ends long before the broadcast did")
    }
    return (known, origin)
  }

  /// The path as reported before, if it is the same file.
  private static func shown(_ path: String, in folder: String) -> String {
    let shown = path.split(separator: "/").last.map { "\(folder)/\($0)" } ?? path
    return absolutePath(shown) == path ? shown : path
  }

  func hasAccepted(_ output: Output.Settings) -> Bool {
    broadcast.acceptedOutputs.contains(output.journalKey(in: broadcast.id))
  }

  var cause: Gap.Cause { broadcast.interruption.flatMap { Gap.Cause(rawValue: $0.cause) } ?? .crash }

  func length(until now: JournalInstant) -> MediaTime {
    min(since.elapsed(until: now) ?? .zero, Self.longest)
  }

  func resumption(at now: JournalInstant) -> Resumption {
    Resumption(broadcast, recordedUntil: mediaEnd, window: window, at: now)
  }

  /// Completed interruptions, as gaps in `tracks`.
  func interruptions(of tracks: Set<TrackKind>) -> [Gap] {
    broadcast.gapMap.interruptions.compactMap { $0.gap(in: tracks) }
  }
}

extension Interruption {
  /// Of a completed interruption.
  func gap(in tracks: Set<TrackKind>) -> Gap? {
    guard let to else { return nil }
    return Gap(
      Gap.Cause(rawValue: cause) ?? .crash, id: gapID ?? 0, wallFrom: from.wall, wallTo: to.wall,
      mediaAt: mediaAt, lostVideo: tracks.contains(.video) ? wallDuration : .zero,
      lostAudio: tracks.contains(.audio) ? wallDuration : .zero)
  }
}

extension Codec {
  /// The time of an encoder's first packet for a sample at 0.
  fileprivate var firstPacketTime: MediaTime {
    switch self {
    // Encoder delay.
    case .opus: MediaTime(ticks: 648, timescale: 48_000)
    case .aac, .h264, .hevc, .av1: .zero
    }
  }
}
