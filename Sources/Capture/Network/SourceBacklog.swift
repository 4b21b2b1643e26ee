import HoldfastMediaModel

/// What a server keeps for its new viewers, from the last keyframe on: decoded, but too old to be shown.
struct SourceBacklog {
  let latency: MediaTime
  private var isOver = false
  private var since: MonotonicTime?

  private static let tolerance = MediaTime.milliseconds(100)
  /// A source that stays late is shown nevertheless.
  private static let maxLength = MediaTime.seconds(1)

  init(latency: MediaTime) {
    self.latency = latency
  }

  mutating func includes(_ captured: MonotonicTime, at now: MonotonicTime) -> Bool {
    let since = since ?? now
    self.since = since
    isOver = isOver || captured + latency + Self.tolerance > now || now - since > Self.maxLength
    return !isOver
  }
}
