import HoldfastMediaModel
package import HoldfastPublishing

/// Media that is being lost; the gap is reported once it is over.
package struct RunningLoss: Hashable, Sendable {
  /// Where it is lost: a place has one loss at a time.
  struct Place: Hashable {
    /// Nil for all outputs.
    let output: String?
    /// Nil for a loss of both tracks.
    let track: TrackKind?
  }

  let place: Place
  let cause: Gap.Cause
  let mediaAt: MediaTime
  var video = MediaTime.zero
  var pictures = 0
  var audio = MediaTime.zero

  /// Nil if `loss` is empty.
  package init?(_ loss: OutputLoss, of output: String) {
    guard let mediaAt = loss.mediaAt else { return nil }
    (place, cause, self.mediaAt) = (Place(output: output, track: nil), .network, mediaAt)
    (video, pictures, audio) = (loss.video, loss.pictures, loss.audio)
  }

  package init(_ loss: TrackLoss) {
    (place, cause, mediaAt) = (Place(output: loss.output, track: loss.track), loss.cause, loss.mediaAt)
    switch loss.track {
    case .video: (video, pictures) = (loss.duration, loss.pictures)
    case .audio: audio = loss.duration
    }
  }
}
