package import HoldfastCapture
package import HoldfastMediaModel

/// What a lane tells the broadcast.
package enum LaneEvent: Sendable {
  case note(String)
  /// Media time runs since then.
  case began(MediaStart)
  /// All that lies before the time line's standstill has been handed on.
  case held(TrackKind)
  case lost(TrackLoss)
  case bitrateChanged(BitrateChange)
  case sourceFailed(CaptureError)
  case encodingFailed(TrackKind, String)
  /// All packets of the track have been handed on; the broadcast's time was over, or else the source's.
  case finished(TrackKind, hasReachedEnd: Bool, selfEnding: Set<TrackKind>)
}

/// A stretch that is missing from a track, and why.
package struct TrackLoss: Hashable, Sendable {
  package let track: TrackKind
  package let cause: Gap.Cause
  package var mediaAt: MediaTime
  package let duration: MediaTime
  /// 0 where it is sound.
  package var pictures = 0
  /// The output that lacks it; nil where all of them do.
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

/// When media time began to run, and where it lies there.
package struct MediaStart: Hashable, Sendable {
  package let at: MonotonicTime
  package let mediaTime: MediaTime
  /// When it had last ended; nil where it runs for the first time in this process.
  package let lastEnd: MonotonicTime?

  package init(at: MonotonicTime, mediaTime: MediaTime, lastEnd: MonotonicTime?) {
    self.at = at
    self.mediaTime = mediaTime
    self.lastEnd = lastEnd
  }
}
