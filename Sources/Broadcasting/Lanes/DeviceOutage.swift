import HoldfastMediaModel

/// The unreported time during which a source was lost, and usually a stand-in replaced it.
struct DeviceOutage: Hashable, Sendable {
  let track: TrackKind
  var frameDuration: MediaTime?
  var since: MediaTime?
  var cause = Gap.Cause.device
  /// False for an encoded track, which has no stand-in.
  var isFilled = true

  var isOpen: Bool { since != nil }

  func end(of last: MediaTime?) -> MediaTime? { last.map { $0 + (frameDuration ?? .zero) } }

  mutating func begin(at time: MediaTime, _ cause: Gap.Cause) {
    guard since == nil else { return }
    (since, self.cause) = (time, cause)
  }

  /// What is lost at media time `now`, if the outage is open.
  func loss(at now: MediaTime) -> TrackLoss? {
    since.map {
      TrackLoss(track: track, cause: cause, mediaAt: $0, duration: max(.zero, now - $0), isFilled: isFilled)
    }
  }

  /// Ends the outage, and returns it as a loss if it was open.
  mutating func end(at time: MediaTime?) -> TrackLoss? {
    guard let time, let since = since.take(), time > since else { return nil }
    let duration = time - since
    let pictures = frameDuration.map {
      Int((Double(duration.nanoseconds) / Double(max(1, $0.nanoseconds))).rounded())
    }
    return TrackLoss(
      track: track, cause: cause, mediaAt: since, duration: duration, pictures: pictures ?? 0,
      isFilled: isFilled)
  }
}
