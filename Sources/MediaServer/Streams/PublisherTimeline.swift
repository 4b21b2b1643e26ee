import HoldfastMediaModel

/// Unwraps a publish's 32-bit timestamps to milliseconds that start near 0 and never decrease within a track.
struct PublisherTimeline {
  /// A first timestamp above this is treated as an arbitrary offset.
  private static let maxStart: UInt32 = 10_000
  /// Largest step back between tracks; a larger one means that the publisher restarted its clock.
  private static let maxBackwardStep: Int64 = -10_000

  private var last: (raw: UInt32, time: Int64)?
  private var latest: [StreamMessage.Kind: Int64] = [:]

  /// The largest time so far.
  private(set) var end: Int64 = 0

  mutating func time(of raw: UInt32, for kind: StreamMessage.Kind) -> Int64 {
    if !kind.isMedia, let last, Int64(Int32(bitPattern: raw &- last.raw)) < Self.maxBackwardStep {
      // Many publishers send data with timestamp 0 between video frames.
      return end
    }
    var time = raw < Self.maxStart ? Int64(raw) : 0
    if let last {
      // The signed difference also handles wraparound.
      let step = Int64(Int32(bitPattern: raw &- last.raw))
      time = step < Self.maxBackwardStep ? end + 1 : last.time + step
    }
    last = (raw, time)
    let result = max(time, latest[kind] ?? 0)
    latest[kind] = result
    end = max(end, result)
    return result
  }
}
