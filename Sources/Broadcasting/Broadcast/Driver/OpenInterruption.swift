package import HoldfastMediaModel

package struct OpenInterruption: Hashable, Sendable {
  let since: MonotonicTime
  let wallSince: WallTime
  /// Known only for an interruption of another process.
  var cause: Gap.Cause?
  /// The media time at which it began; nil if the timeline determines it.
  var mediaAt: MediaTime?
  /// Additional loss of each track.
  var extraLoss: [TrackKind: MediaTime] = [:]

  package init(
    since: MonotonicTime, wallSince: WallTime, cause: Gap.Cause? = nil, mediaAt: MediaTime? = nil,
    extraLoss: [TrackKind: MediaTime] = [:]
  ) {
    self.since = since
    self.wallSince = wallSince
    self.cause = cause
    self.mediaAt = mediaAt
    self.extraLoss = extraLoss
  }
}
