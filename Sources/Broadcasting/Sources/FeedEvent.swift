package import HoldfastCapture
package import HoldfastMediaModel
internal import HoldfastPlatform

/// What a feed tells of its device.
package enum FeedEvent: Hashable, Sendable {
  /// It has given its first, and this is what was chosen.
  case opened(TrackKind, summary: String)
  /// It is gone, or gives nothing any more.
  case lost(CaptureError)
  /// It is there again, but somebody else uses it.
  case busy(CaptureError)
  /// It gives something again.
  case back(TrackKind, summary: String)
  /// Another source has taken its place, and gives something.
  case changed(TrackKind, summary: String)
}

/// Where that comes from which a feed gives.
struct Provenance: Hashable, Sendable {
  /// It stands in for a device that is away.
  var isStandIn = false
  /// Grows with each source that takes another one's place.
  var source = 0
}

/// Who gets what a feed gives. Called on the feed's thread.
struct FeedReceiver<Taken: ~Copyable>: Sendable {
  let take: @Sendable (consuming Taken, Provenance) -> Void
  /// Waits until it may begin; false when that will not be. A device does not ask.
  let isReady: @Sendable (Wakeup) -> Bool
  /// A source that is no device has come to its end, or failed.
  let end: @Sendable (CaptureError?) -> Void
}
