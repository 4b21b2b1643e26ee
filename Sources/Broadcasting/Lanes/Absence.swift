internal import HoldfastMediaModel

/// The time for which something stood in for a device, until it is told.
struct Absence {
  private let track: TrackKind
  /// The duration of a picture; nil where it is sound.
  private let frameDuration: MediaTime?
  private var since: MediaTime?

  init(_ track: TrackKind, frameDuration: MediaTime? = nil) {
    self.track = track
    self.frameDuration = frameDuration
  }

  var lasts: Bool { since != nil }

  /// Where the picture that was shown at `last` ends.
  func end(of last: MediaTime?) -> MediaTime? {
    last.map { $0 + (frameDuration ?? .zero) }
  }

  /// What the device gave ends at `time`.
  mutating func begin(at time: MediaTime) {
    since = since ?? time
  }

  /// The device gives something again from `time` on, or nothing is wanted of it from there on.
  mutating func end(at time: MediaTime) -> TrackLoss? {
    guard let since = since.take(), time > since else { return nil }
    let duration = time - since
    let pictures = frameDuration.map {
      Int((Double(duration.nanoseconds) / Double(max(1, $0.nanoseconds))).rounded())
    }
    return TrackLoss(
      track: track, cause: .device, mediaAt: since, duration: duration, pictures: pictures ?? 0)
  }

  /// The same, with the end of the last picture.
  mutating func end(after last: MediaTime?) -> TrackLoss? {
    end(of: last).flatMap { end(at: $0) }
  }
}
