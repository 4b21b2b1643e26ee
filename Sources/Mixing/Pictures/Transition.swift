package import HoldfastMediaModel

/// The tiles' way from one layout to the next: each slides to its new place, and grows or shrinks; who is new fades in, and
/// who is gone fades out. By the output's clock, so that it takes as long at any frame rate.
package struct Transition: Hashable, Sendable {
  private let from: [Int: Place]
  private let leaving: [Place]
  private let to: [Place]
  private let start: MediaTime
  private let duration: MediaTime

  /// With a duration of 0, or where nothing changes its place, the new layout is there at once.
  package init(from: [Place], to: [Place], start: MediaTime, duration: MediaTime) {
    let old = Dictionary(from.map { ($0.tile, $0) }) { _, last in last }
    let staying = Set(to.map(\.tile))
    self.from = old
    self.to = to
    self.start = start
    leaving = from.filter { !staying.contains($0.tile) }
    self.duration = leaving.isEmpty && to.allSatisfy { old[$0.tile] == $0 } ? .zero : duration
  }

  package func isOver(at now: MediaTime) -> Bool { now - start >= duration }

  /// Whether a place is where it will stay.
  package func isSettled(_ place: Place) -> Bool {
    to.contains { $0.tile == place.tile && $0.area == place.area }
  }

  /// The places at `now`, in the drawing order of the new layout, above those that are left.
  package func places(at now: MediaTime) -> [Place] {
    guard !isOver(at: now) else { return to }
    let progress = Self.eased(max(0, (now - start).seconds / duration.seconds))
    let fading = leaving.map { place in
      var place = place
      place.opacity = Int(Double(place.opacity) * (1 - progress))
      return place
    }
    return fading + to.map { place in place.begun(at: from[place.tile], progress) }
  }

  /// Starts and arrives gently.
  private static func eased(_ part: Double) -> Double { part * part * (3 - 2 * part) }
}

extension Place {
  /// On its way from its old place, or appearing.
  fileprivate func begun(at old: Place?, _ part: Double) -> Place {
    let first = old?.opacity ?? 0
    let opacity = first + Int((Double(self.opacity - first) * part).rounded())
    return Place(tile: tile, area: old.map { $0.area.moved(part, towards: area) } ?? area, opacity: opacity)
  }
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
