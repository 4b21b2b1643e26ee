import HoldfastMediaModel

/// Joins a track's losses of one cause that follow one another closely, so that each stretch is one gap.
struct LossStretches: Hashable, Sendable {
  private var open: [Gap.Cause: TrackLoss] = [:]

  /// Losses this far apart belong to different stretches: a gap explains holes at no greater distance.
  static let maxPause = HoleRule.maxDistance

  /// Those that may go on.
  var lasting: [TrackLoss] { Array(open.values) }

  /// Adds `losses`; returns the stretches that are over at media time `now`.
  mutating func add(_ losses: [TrackLoss], at now: MediaTime) -> [TrackLoss] {
    var over: [TrackLoss] = []
    for loss in losses {
      let earlier = open[loss.cause]
      if let earlier, loss.mediaAt - earlier.end <= Self.maxPause {
        open[loss.cause] = earlier.joined(with: loss)
      } else {
        over += earlier.map { [$0] } ?? []
        open[loss.cause] = loss
      }
    }
    return over + takeAll { now - $0.end > Self.maxPause }
  }

  /// Returns and forgets all stretches; none continues.
  mutating func end() -> [TrackLoss] { takeAll { _ in true } }

  private mutating func takeAll(where isOver: (TrackLoss) -> Bool) -> [TrackLoss] {
    guard !open.isEmpty else { return [] }
    let over = open.values.filter(isOver).sorted {
      ($0.mediaAt, $0.cause.rawValue) < ($1.mediaAt, $1.cause.rawValue)
    }
    for loss in over { open[loss.cause] = nil }
    return over
  }
}
