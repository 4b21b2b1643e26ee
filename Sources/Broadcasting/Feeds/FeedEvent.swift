package import HoldfastCapture
package import HoldfastMediaModel

/// Device events reported by a feed.
package enum FeedEvent: Hashable, Sendable {
  case opened(TrackKind, summary: String)
  /// The device is gone or delivers nothing.
  case lost(CaptureError)
  /// The device is present but used by another program.
  case busy(CaptureError)
  case back(TrackKind, summary: String)
  case changed(TrackKind, summary: String)
  /// The source of one tile of a programme; the track goes on.
  case tile(String, TrackKind, BroadcastEvent.DeviceState, cause: String?)
}
