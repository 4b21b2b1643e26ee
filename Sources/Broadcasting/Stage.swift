internal import MediaModel

/// How far a broadcast has come: what only `Broadcast.run` changes.
struct Stage {
  private let hasDuration: Bool
  /// Tracks whose sources come to an end by themselves.
  private let selfEnding: Set<TrackKind>
  private let tracks: Set<TrackKind>
  private var finished: Set<TrackKind> = []
  private var isStopped = false
  private var hasReachedEnd = false
  private(set) var failure: BroadcastError?
  /// When the tracks that still run are ended.
  private(set) var deadline: MonotonicTime?
  /// The recording; nil until its first fragment has been written.
  var path: String?
  var recordedBytes = 0
  var gaps: [Gap] = []

  /// How long a track may take to come to the asked-for end after another one has.
  private static let drainLimit = MediaTime.seconds(2)

  init(configuration: Configuration, tracks: Set<TrackKind>) {
    hasDuration = configuration.duration != nil
    self.tracks = tracks
    var selfEnding: Set<TrackKind> = []
    if configuration.video.isFile { selfEnding.insert(.video) }
    if configuration.audio.isFile { selfEnding.insert(.audio) }
    self.selfEnding = selfEnding
  }

  var isLive: Bool { path != nil }

  /// The tracks that still run are to be ended now.
  func isOver(_ now: MonotonicTime) -> Bool {
    isStopped || failure != nil || finished == tracks || deadline.map { now >= $0 } ?? false
  }

  mutating func stop() {
    isStopped = true
  }

  /// The first failure is the one that counts.
  mutating func fail(_ error: BroadcastError) {
    if failure == nil { failure = error }
  }

  /// One track has come to its end. Another one that comes to its own is waited for; one that never would is not.
  mutating func finish(_ track: TrackKind, hasReachedEnd: Bool, at now: MonotonicTime) {
    finished.insert(track)
    self.hasReachedEnd = self.hasReachedEnd || hasReachedEnd
    if hasReachedEnd {
      deadline = now + Self.drainLimit
    } else if !hasDuration, !tracks.subtracting(finished).isSubset(of: selfEnding) {
      deadline = now
    }
  }

  var endReason: BroadcastEvent.EndReason {
    if failure != nil { return .failed }
    if isStopped { return .stopped }
    return hasReachedEnd ? .duration : .sourceEnded
  }
}
