package import HoldfastMediaModel

/// Detects parts of the program that have stopped making progress.
package struct ProgressWatch: Hashable, Sendable {
  package enum Part: String, CaseIterable, Sendable {
    case encoder = "the encoder"
    case recorder = "the recorder"
    case main = "the main loop"
    case requests = "the HTTP server"
    case following = "the thread that follows changes of sessions"
    case sweeping = "the thread that ends expired leases"
    case metering = "the thread that asks for levels"
  }

  package struct Stalled: Hashable, Sendable, CustomStringConvertible {
    package let part: Part
    package let length: MediaTime

    package var description: String {
      "\(part.rawValue) has made no progress for \(length.nanoseconds / 1_000_000_000) s"
    }
  }

  package enum Verdict: Hashable, Sendable {
    /// All expected parts make progress; `again` if one was stalled at the last check.
    case moving(again: Bool)
    /// `isNew` if one of the parts was not stalled at the last check.
    case stalled([Stalled], isNew: Bool)
  }

  private let limit: MediaTime
  private var lastMoves: [Part: MonotonicTime] = [:]
  private var stalledBefore: Set<Part> = []

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

  package mutating func unexpect(_ part: Part) { lastMoves[part] = nil }

  package mutating func check(at now: MonotonicTime) -> Verdict {
    let stalled = Part.allCases.compactMap { part -> Stalled? in
      guard let last = lastMoves[part], now - last > limit else { return nil }
      return Stalled(part: part, length: now - last)
    }
    let before = stalledBefore
    stalledBefore = Set(stalled.map(\.part))
    if stalled.isEmpty { return .moving(again: !before.isEmpty) }
    return .stalled(stalled, isNew: !stalledBefore.isSubset(of: before))
  }
}
