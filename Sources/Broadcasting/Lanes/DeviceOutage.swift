import HoldfastMediaModel

/// The unreported time during which a stand-in replaced a device.
struct DeviceOutage {
  let track: TrackKind
  var frameDuration: MediaTime?
  var since: MediaTime?

  var isOpen: Bool { since != nil }

  func end(of last: MediaTime?) -> MediaTime? {
    last.map { $0 + (frameDuration ?? .zero) }
  }

  mutating func begin(at time: MediaTime) {
    since = since ?? time
  }

  /// Ends the outage, and returns it as a loss if it was open.
  mutating func end(at time: MediaTime?) -> TrackLoss? {
    guard let time, let since = since.take(), time > since else { return nil }
    let duration = time - since
    let pictures = frameDuration.map {
      Int((Double(duration.nanoseconds) / Double(max(1, $0.nanoseconds))).rounded())
    }
    return TrackLoss(
      track: track, cause: .device, mediaAt: since, duration: duration, pictures: pictures ?? 0)
  }
}
