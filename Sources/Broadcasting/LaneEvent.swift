internal import Capture
internal import MediaModel

/// What a lane tells the broadcast.
enum LaneEvent: Sendable {
  /// The source gives, and this is what was chosen.
  case opened(TrackKind, summary: String)
  case note(String)
  /// A stretch is missing from the track.
  case gap(Gap)
  case sourceFailed(CaptureError)
  case encodingFailed(TrackKind, String)
  /// All packets of the track have been handed on.
  case finished(TrackKind)
}

/// A stretch that is missing from a track, and why.
struct Gap: Hashable, Sendable {
  enum Cause: String, Hashable, Sendable {
    /// The device lost pictures, or sound before it came to us.
    case device
    /// The sound card's buffer ran over.
    case xrun
    /// The encoder could not keep up.
    case encoder
    /// The disk could not keep up.
    case disk
  }

  let track: TrackKind
  let cause: Cause
  let mediaAt: MediaTime
  let lost: MediaTime
}
