internal import HoldfastCapture
internal import HoldfastMediaModel

/// What a lane tells the broadcast.
enum LaneEvent: Sendable {
  case note(String)
  /// The first of the track lies on the time line, since it began or went on.
  case began(TrackKind)
  /// All that lies before the time line's standstill has been handed on.
  case held(TrackKind)
  case lost(TrackLoss)
  case bitrateChanged(BitrateChange)
  case sourceFailed(CaptureError)
  case encodingFailed(TrackKind, String)
  /// All packets of the track have been handed on; the broadcast's time was over, or else the source's.
  case finished(TrackKind, hasReachedEnd: Bool)
}

/// A stretch that is missing from a track, and why.
struct TrackLoss: Hashable, Sendable {
  let track: TrackKind
  let cause: Gap.Cause
  var mediaAt: MediaTime
  let duration: MediaTime
  /// 0 where it is sound.
  var pictures = 0
  /// The output that lacks it; nil where all of them do.
  var output: String?
}
