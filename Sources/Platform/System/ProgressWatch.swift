package import HoldfastMediaModel

/// Finds the parts of the program that have stopped making progress.
package struct ProgressWatch: Hashable, Sendable {
  package enum Part: String, CaseIterable, Sendable {
    case encoder = "the encoder"
    case recorder = "the recorder"
    case main = "the main loop"
  }

  /// A part that should move and has not done so for `length`.
  package struct Stuck: Hashable, Sendable, CustomStringConvertible {
    package let part: Part
    package let length: MediaTime

    /// `the encoder has not moved for 12 s`.
    package var description: String {
      "\(part.rawValue) has not moved for \(length.nanoseconds / 1_000_000_000) s"
    }
  }

  package enum Verdict: Hashable, Sendable {
    /// Every expected part moves; `again` the first time after one did not.
    case moving(again: Bool)
    /// `isNews` when one of the parts was not stuck at the last check.
    case stuck([Stuck], isNews: Bool)
  }

  /// The longest time from one movement of a part to the next.
  private let limit: MediaTime
  /// The last movement of each expected part.
  private var lastMoves: [Part: MonotonicTime] = [:]
  private var stuckBefore: Set<Part> = []

  package init(limit: MediaTime) { self.limit = limit }

  /// From now on `part` must move. Repeating this is no movement.
  package mutating func expect(_ part: Part, at now: MonotonicTime) {
    if lastMoves[part] == nil { lastMoves[part] = now }
  }

  /// Does not end the rest of a part, as reports may arrive late.
  package mutating func report(_ part: Part, at now: MonotonicTime) {
    guard let last = lastMoves[part] else { return }
    lastMoves[part] = max(last, now)
  }

  /// `part` need not move until `expect`.
  package mutating func rest(_ part: Part) { lastMoves[part] = nil }

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
