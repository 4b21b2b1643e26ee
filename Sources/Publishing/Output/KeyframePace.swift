import HoldfastMediaModel

/// When an output may have a keyframe forced, for which all others pay.
struct KeyframePace {
  private var next: MonotonicTime?
  private var isAwaited = false

  /// When a request that had to wait may be made.
  var due: MonotonicTime? { isAwaited ? next : nil }

  private static let interval = MediaTime.seconds(1)

  func mayRequest(at now: MonotonicTime) -> Bool { next.map { $0 <= now } ?? true }

  /// False if the request has to wait.
  mutating func request(at now: MonotonicTime) -> Bool {
    isAwaited = !mayRequest(at: now)
    if !isAwaited { next = now + Self.interval }
    return !isAwaited
  }

  /// No keyframe is needed any more.
  mutating func cancel() { isAwaited = false }
}
