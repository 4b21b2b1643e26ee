package import HoldfastMediaModel
package import HoldfastMediaSources
import HoldfastPlatform

/// The path of a track from its feed to the outputs, on its own thread.
protocol Lane: Sendable {
  func start() throws
  /// Detaches from the feed; items already queued are still processed.
  func stop()
  /// Waits for the thread; call it after `stop`.
  func join()
  /// Captured items are still waiting to be encoded.
  var isBehind: Bool { get }
}

package enum LaneEvent: Sendable {
  case note(String)
  case started(MediaStart)
  /// A copied track goes on in another format, or with other headers.
  case trackChanged(Track)
  /// Everything before the stop of media time has been delivered.
  case stopped(TrackKind)
  case lost(TrackLoss)
  case bitrateChanged(BitrateChange)
  case sourceFailed(CaptureError)
  case encodingFailed(TrackKind, String)
  /// An encode that was begun for a single output, or for viewers.
  case encodeFailed(RenditionID, why: String)
  /// All packets of the track have been delivered; its source ended unless `hasReachedEnd`.
  case finished(TrackKind, hasReachedEnd: Bool, selfEnding: Set<TrackKind>)
}
