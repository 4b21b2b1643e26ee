internal import HoldfastMediaModel

/// Unwraps the 32-bit timestamps of one publish: milliseconds that begin at about 0 and go back for no track.
struct PublisherTimeline {
  /// A publisher that begins later than this counts from somewhere else.
  private static let latestStart: UInt32 = 10_000
  /// Tracks lie at most so far apart; a publisher that goes back further has begun to count anew.
  private static let widestStep: Int64 = -10_000

  private var last: (raw: UInt32, time: Int64)?
  private var latest: [StreamMessage.Kind: Int64] = [:]

  /// The time behind everything so far.
  private(set) var end: Int64 = 0

  mutating func time(of raw: UInt32, for kind: StreamMessage.Kind) -> Int64 {
    if !kind.isMedia, let last, Int64(Int32(bitPattern: raw &- last.raw)) < Self.widestStep {
      // Many publishers give 0 to data between pictures.
      return end
    }
    var time = raw < Self.latestStart ? Int64(raw) : 0
    if let last {
      // Also where the 32 bits have gone round.
      let step = Int64(Int32(bitPattern: raw &- last.raw))
      time = step < Self.widestStep ? end + 1 : last.time + step
    }
    last = (raw, time)
    let result = max(time, latest[kind] ?? 0)
    latest[kind] = result
    end = max(end, result)
    return result
  }
}
