package import HoldfastMediaModel

/// Instants at a fixed interval.
package struct Cadence: Hashable {
  private let interval: Int64
  package private(set) var next: MonotonicTime

  package init(_ rate: FrameRate, from start: MonotonicTime) {
    interval = max(1_000_000, rate.frameDuration.nanoseconds)
    next = start
  }

  /// Moves to the first instant after `now`; returns the number of those skipped.
  package mutating func advance(past now: MonotonicTime) -> Int {
    let late = max(0, (now - next).nanoseconds / interval)
    next = next + MediaTime(nanoseconds: (late + 1) * interval)
    return Int(late)
  }
}
