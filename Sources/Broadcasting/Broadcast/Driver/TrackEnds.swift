import HoldfastMediaModel

/// Which tracks have ended, and whether the others are still waited for.
struct TrackEnds {
  let tracks: Set<TrackKind>
  let hasDuration: Bool
  private(set) var finished: Set<TrackKind> = []
  private(set) var haveReachedEnd = false
  /// The remaining tracks are not waited for.
  var hasTimedOut = false

  /// The time for other tracks to reach the configured duration after the first one has.
  static let drainTimeout = MediaTime.seconds(2)

  var running: Set<TrackKind> { tracks.subtracting(finished) }
  var areFinished: Bool { finished == tracks || hasTimedOut }

  /// Waits for other tracks only if their sources end by themselves.
  mutating func finish(_ track: TrackKind, hasReachedEnd: Bool, selfEnding: Set<TrackKind>) {
    finished.insert(track)
    haveReachedEnd = haveReachedEnd || hasReachedEnd
    if !hasReachedEnd, !hasDuration, !running.isSubset(of: selfEnding) { hasTimedOut = true }
  }
}
