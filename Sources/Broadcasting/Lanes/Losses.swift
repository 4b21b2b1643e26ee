package import HoldfastMediaModel

/// A stretch missing from a track, and its cause.
package struct TrackLoss: Hashable, Sendable {
  package let track: TrackKind
  package let cause: Gap.Cause
  package var mediaAt: MediaTime
  package let duration: MediaTime
  package var pictures = 0
  /// The output that lacks it; nil for all outputs.
  package var output: String?

  package init(
    track: TrackKind, cause: Gap.Cause, mediaAt: MediaTime, duration: MediaTime, pictures: Int = 0,
    output: String? = nil
  ) {
    self.track = track
    self.cause = cause
    self.mediaAt = mediaAt
    self.duration = duration
    self.pictures = pictures
    self.output = output
  }
}

/// Pictures lost since the last one encoded, not yet reported.
struct PictureLosses {
  private let frameDuration: MediaTime
  private var pictures: [Gap.Cause: Int] = [:]

  init(frameDuration: MediaTime) {
    self.frameDuration = frameDuration
  }

  mutating func add(_ count: Int, _ cause: Gap.Cause) {
    if count > 0 { pictures[cause, default: 0] += count }
  }

  mutating func forget() {
    pictures = [:]
  }

  /// Returns and clears the losses, placed immediately before `time`.
  mutating func take(before time: MediaTime) -> [TrackLoss] {
    defer { pictures = [:] }
    return pictures.sorted { $0.key.rawValue < $1.key.rawValue }.map { cause, count in
      let duration = MediaTime(nanoseconds: frameDuration.nanoseconds * Int64(count))
      let at = max(.zero, time - duration)
      return TrackLoss(track: .video, cause: cause, mediaAt: at, duration: duration, pictures: count)
    }
  }
}

/// The unreported time during which a stand-in replaced a device.
struct Absence {
  private let track: TrackKind
  private let frameDuration: MediaTime?
  private var since: MediaTime?

  init(_ track: TrackKind, frameDuration: MediaTime? = nil, since: MediaTime? = nil) {
    self.track = track
    self.frameDuration = frameDuration
    self.since = since
  }

  var isOpen: Bool { since != nil }

  func end(of last: MediaTime?) -> MediaTime? {
    last.map { $0 + (frameDuration ?? .zero) }
  }

  mutating func begin(at time: MediaTime) {
    since = since ?? time
  }

  /// Ends the absence, and returns it as a loss if it was open.
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
