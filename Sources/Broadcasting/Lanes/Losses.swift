package import HoldfastMediaModel

/// A stretch that is missing from a track, and why.
package struct TrackLoss: Hashable, Sendable {
  package let track: TrackKind
  package let cause: Gap.Cause
  package var mediaAt: MediaTime
  package let duration: MediaTime
  /// 0 where it is sound.
  package var pictures = 0
  /// The output that lacks it; nil where all of them do.
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

/// Pictures that are missing since the last one that went on, and not reported yet.
struct PictureLosses {
  private let frameDuration: MediaTime
  private var pictures: [Gap.Cause: Int] = [:]

  init(frameDuration: MediaTime) {
    self.frameDuration = frameDuration
  }

  mutating func add(_ count: Int, _ cause: Gap.Cause) {
    if count > 0 { pictures[cause, default: 0] += count }
  }

  /// Nothing that was lost before the broadcast began is missing from it.
  mutating func forget() {
    pictures = [:]
  }

  /// What is missing right before `time`.
  mutating func take(before time: MediaTime) -> [TrackLoss] {
    defer { pictures = [:] }
    return pictures.sorted { $0.key.rawValue < $1.key.rawValue }.map { cause, count in
      let duration = MediaTime(nanoseconds: frameDuration.nanoseconds * Int64(count))
      let at = max(.zero, time - duration)
      return TrackLoss(track: .video, cause: cause, mediaAt: at, duration: duration, pictures: count)
    }
  }
}

/// The time for which something stood in for a device, until it is reported.
struct Absence {
  private let track: TrackKind
  /// The duration of a picture; nil where it is sound.
  private let frameDuration: MediaTime?
  private var since: MediaTime?

  init(_ track: TrackKind, frameDuration: MediaTime? = nil, since: MediaTime? = nil) {
    self.track = track
    self.frameDuration = frameDuration
    self.since = since
  }

  var isOpen: Bool { since != nil }

  /// Where the picture that was shown at `last` ends.
  func end(of last: MediaTime?) -> MediaTime? {
    last.map { $0 + (frameDuration ?? .zero) }
  }

  /// What the device gave ends at `time`.
  mutating func begin(at time: MediaTime) {
    since = since ?? time
  }

  /// The device gives something again from `time` on, or nothing is expected of it from there on.
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
