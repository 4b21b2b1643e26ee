package import HoldfastMediaModel

/// The tiles' way from one layout to the next: each slides to its new place, and grows or shrinks. By the output's
/// clock, so that it takes as long at any frame rate.
package struct Transition: Hashable, Sendable {
  private let from: [Int: PictureArea]
  private let to: [Place]
  private let start: MediaTime
  private let duration: MediaTime

  /// With a duration of 0, or where no tile moves, the new layout is there at once.
  package init(from: [Place], to: [Place], start: MediaTime, duration: MediaTime) {
    let old = Dictionary(from.map { ($0.tile, $0.area) }) { _, last in last }
    self.from = old
    self.to = to
    self.start = start
    let moves = to.contains { place in old[place.tile].map { $0 != place.area } ?? false }
    self.duration = moves ? duration : .zero
  }

  package func isOver(at now: MediaTime) -> Bool { now - start >= duration }

  /// The places at `now`, in the drawing order of the new layout. A tile that had no place appears in its new one.
  package func places(at now: MediaTime) -> [Place] {
    guard !isOver(at: now) else { return to }
    let progress = Self.eased(max(0, (now - start).seconds / duration.seconds))
    return to.map { place in
      guard let old = from[place.tile] else { return place }
      return Place(tile: place.tile, area: old.moved(progress, towards: place.area))
    }
  }

  /// Starts and arrives gently.
  private static func eased(_ part: Double) -> Double { part * part * (3 - 2 * part) }
}

extension PictureArea {
  fileprivate func moved(_ part: Double, towards other: PictureArea) -> PictureArea {
    func between(_ from: Int, _ to: Int) -> Int { Int((Double(from) + Double(to - from) * part) / 2) * 2 }
    let (left, top) = (between(x, other.x), between(y, other.y))
    return PictureArea(
      x: left, y: top,
      size: PictureSize(
        width: max(2, between(maxX, other.maxX) - left), height: max(2, between(maxY, other.maxY) - top)))
  }
}
