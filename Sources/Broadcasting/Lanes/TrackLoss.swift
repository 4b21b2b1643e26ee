package import HoldfastMediaModel

/// A stretch missing from a track, and its cause.
package struct TrackLoss: Hashable, Sendable {
  package let track: TrackKind
  package var cause: Gap.Cause
  package var mediaAt: MediaTime
  package let duration: MediaTime
  package var pictures = 0
  /// The output that lacks it; nil for all outputs.
  package var output: String?

  package init(
    track: TrackKind, cause: Gap.Cause, mediaAt: MediaTime, duration: MediaTime, pictures: Int = 0,
    output: String? = nil
  ) {
    self.track = track
    self.cause = cause
    self.mediaAt = mediaAt
    self.duration = duration
    self.pictures = pictures
    self.output = output
  }
}
