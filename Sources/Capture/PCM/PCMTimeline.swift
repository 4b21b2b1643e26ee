internal import HoldfastMediaModel

/// Knows where the last delivered sample ended, and so how much an overrun has swallowed.
struct PCMTimeline: Hashable {
  private var end: MonotonicTime?
  private var isInterrupted = false

  /// Samples may be missing between the last block and the next one.
  mutating func interrupt() {
    isInterrupted = true
  }

  /// Takes the next block into account; gives what was lost right before it.
  mutating func append(at captureTime: MonotonicTime, duration: MediaTime) -> MediaTime {
    defer {
      end = captureTime + duration
      isInterrupted = false
    }
    guard isInterrupted, let end else { return .zero }
    return max(.zero, captureTime - end)
  }
}
