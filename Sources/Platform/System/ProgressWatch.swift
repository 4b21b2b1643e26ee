package import HoldfastMediaModel

/// Tells a program that works from one that merely runs: its parts report that they have moved.
package struct ProgressWatch: Hashable, Sendable {
  package enum Part: String, CaseIterable, Sendable {
    case videoCapture = "the video source"
    case audioCapture = "the audio source"
    case encoder = "the encoder"
    case recorder = "the recorder"
    case main = "the main loop"
  }

  /// A part of which movement is expected, and that has not moved for so long.
  package struct Stuck: Hashable, Sendable {
    package let part: Part
    package let length: MediaTime
  }

  package enum Verdict: Hashable, Sendable {
    /// All that is expected to move does; `again` at the first time after it did not.
    case moving(again: Bool)
    /// These don't; `isNews` when one of them was not among them the last time.
    case stuck([Stuck], isNews: Bool)
  }

  /// How long a part may take from one movement to the next.
  private let limit: MediaTime
  /// When each part of which something is expected has moved last.
  private var lastMoves: [Part: MonotonicTime] = [:]
  private var stuckBefore: Set<Part> = []

  package init(limit: MediaTime) {
    self.limit = limit
  }

  /// From now on `part` must move. To say so again is no movement.
  package mutating func expect(_ part: Part, at now: MonotonicTime) {
    if lastMoves[part] == nil { lastMoves[part] = now }
  }

  /// A part that rests stays at rest: what was on its way when it was told to rest arrives late.
  package mutating func report(_ part: Part, at now: MonotonicTime) {
    guard let last = lastMoves[part] else { return }
    lastMoves[part] = max(last, now)
  }

  /// Nothing is expected of `part` until it is told otherwise.
  package mutating func rest(_ part: Part) {
    lastMoves[part] = nil
  }

  package mutating func check(at now: MonotonicTime) -> Verdict {
    let stuck = Part.allCases.compactMap { part -> Stuck? in
      guard let last = lastMoves[part], now - last > limit else { return nil }
      return Stuck(part: part, length: now - last)
    }
    let before = stuckBefore
    stuckBefore = Set(stuck.map(\.part))
    if stuck.isEmpty { return .moving(again: !before.isEmpty) }
    return .stuck(stuck, isNews: !stuckBefore.isSubset(of: before))
  }
}

extension ProgressWatch.Stuck: CustomStringConvertible {
  /// `the encoder has not moved for 12 s`.
  package var description: String {
    "\(part.rawValue) has not moved for \(length.nanoseconds / 1_000_000_000) s"
  }
}
