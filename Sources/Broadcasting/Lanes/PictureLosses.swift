import HoldfastMediaModel

/// Pictures lost since the last one encoded, not yet reported.
struct PictureLosses {
  private let frameDuration: MediaTime
  private var pictures: [Gap.Cause: Int] = [:]

  init(frameDuration: MediaTime) { self.frameDuration = frameDuration }

  mutating func add(_ count: Int, _ cause: Gap.Cause) {
    if count > 0 { pictures[cause, default: 0] += count }
  }

  mutating func forget() { pictures = [:] }

  /// Returns and clears what is lost of the time from `start`, after the last picture, to the stop at `end`.
  mutating func take(from start: MediaTime, untilStop end: MediaTime) -> [TrackLoss] {
    defer { pictures = [:] }
    guard let cause = pictures.max(by: { $0.value < $1.value })?.key,
      end - start > HoleRule.slack(of: .video, usual: frameDuration)
    else { return [] }
    let count = ((end - start).seconds / frameDuration.seconds).rounded()
    return [
      TrackLoss(
        track: .video, cause: cause, mediaAt: start, duration: end - start, pictures: Int(count),
        isFilled: false)
    ]
  }

  /// Returns and clears the losses, placed immediately before `time`.
  mutating func take(before time: MediaTime) -> [TrackLoss] {
    defer { pictures = [:] }
    return pictures.sorted { $0.key.rawValue < $1.key.rawValue }.map { cause, count in
      let duration = MediaTime(nanoseconds: frameDuration.nanoseconds * Int64(count))
      let at = max(.zero, time - duration)
      return TrackLoss(
        track: .video, cause: cause, mediaAt: at, duration: duration, pictures: count, isFilled: false)
    }
  }
}
