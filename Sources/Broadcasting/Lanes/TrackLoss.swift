package import HoldfastMediaModel

/// A stretch missing from a track, and its cause.
package struct TrackLoss: Hashable, Sendable {
  package let track: TrackKind
  package var cause: Gap.Cause
  package var mediaAt: MediaTime
  /// What is missing altogether.
  package private(set) var duration: MediaTime
  /// From the first that is missing to the end of the last.
  package private(set) var extent: MediaTime
  package var pictures = 0
  /// The output that lacks it; nil for all outputs.
  package var output: String?
  /// See `Gap`.
  package private(set) var isFilled: Bool?
  /// See `Gap`.
  package var member: String?

  package init(
    track: TrackKind, cause: Gap.Cause, mediaAt: MediaTime, duration: MediaTime, pictures: Int = 0,
    output: String? = nil, isFilled: Bool? = nil, member: String? = nil
  ) {
    self.track = track
    self.cause = cause
    self.mediaAt = mediaAt
    self.duration = duration
    extent = duration
    self.pictures = pictures
    self.output = output
    self.isFilled = isFilled
    self.member = member
  }

  var end: MediaTime { mediaAt + extent }

  /// This loss at each of `outputs`; nil for all of them.
  func atEach(of outputs: [String]?) -> [TrackLoss] {
    guard let outputs else { return [self] }
    return outputs.map { output in
      var loss = self
      loss.output = output
      return loss
    }
  }

  /// This loss and a later one as a single one.
  func joined(with later: TrackLoss) -> TrackLoss {
    var joined = self
    joined.duration += later.duration
    joined.extent = max(end, later.end) - mediaAt
    joined.pictures += later.pictures
    if isFilled != later.isFilled { joined.isFilled = nil }
    return joined
  }
}
