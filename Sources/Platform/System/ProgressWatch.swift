package import HoldfastMediaModel

/// Detects parts of the program that have stopped making progress.
package struct ProgressWatch: Hashable, Sendable {
  package enum Part: String, CaseIterable, Sendable {
    case encoder = "the encoder"
    case recorder = "the recorder"
    case main = "the main loop"
  }

  package struct Stuck: Hashable, Sendable, CustomStringConvertible {
    package let part: Part
    package let length: MediaTime

    package var description: String {
      "\(part.rawValue) has not moved for \(length.nanoseconds / 1_000_000_000) s"
    }
  }

  package enum Verdict: Hashable, Sendable {
    /// All expected parts make progress; `again` if one was stuck at the last check.
    case moving(again: Bool)
    /// `isNews` if one of the parts was not stuck at the last check.
    case stuck([Stuck], isNews: Bool)
  }

  private let limit: MediaTime
  private var lastMoves: [Part: MonotonicTime] = [:]
  private var stuckBefore: Set<Part> = []

  package init(limit: MediaTime) { self.limit = limit }

  /// Expects progress of `part` from now on; a repeated call does not count as progress.
  package mutating func expect(_ part: Part, at now: MonotonicTime) {
    if lastMoves[part] == nil { lastMoves[part] = now }
  }

  /// Records progress, unless `part` is resting, as reports may arrive late.
  package mutating func report(_ part: Part, at now: MonotonicTime) {
    guard let last = lastMoves[part] else { return }
    lastMoves[part] = max(last, now)
  }

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
