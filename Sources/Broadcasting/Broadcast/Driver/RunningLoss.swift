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
    /// Of a loss at all outputs; elsewhere it may turn out to be another one.
    let cause: Gap.Cause?
    var member: String?
  }

  let place: Place
  let cause: Gap.Cause
  let mediaAt: MediaTime
  let mediaEnd: MediaTime
  var video = MediaTime.zero
  var pictures = 0
  var audio = MediaTime.zero
  /// See `Gap`.
  var isFilled: Bool?

  /// Nil if `loss` is empty.
  package init?(_ loss: OutputLoss, of output: String) {
    guard let lost = loss.place else { return nil }
    (place, cause) = (Place(output: output, track: nil, cause: nil), loss.cause)
    (mediaAt, mediaEnd) = (lost.lowerBound, lost.upperBound)
    (video, pictures, audio) = (loss.video, loss.pictures, loss.audio)
  }

  package init(_ loss: TrackLoss) {
    let placeCause = loss.output == nil ? loss.cause : nil
    place = Place(output: loss.output, track: loss.track, cause: placeCause, member: loss.member)
    cause = loss.cause
    (mediaAt, mediaEnd, isFilled) = (loss.mediaAt, loss.end, loss.isFilled)
    switch loss.track {
    case .video: (video, pictures) = (loss.duration, loss.pictures)
    case .audio: audio = loss.duration
    }
  }
}
