package import HoldfastMediaModel

/// What a tile shows; tiles of equal content look the same at the same place.
package struct TileContent: Hashable, Sendable {
  package enum Shown: Hashable, Sendable {
    /// Each picture has a number of its own.
    case picture(Int)
    case away(since: WallTime)
    case soundOnly
    /// Who has left the programme is shown as last seen, while that fades.
    case gone
  }

  package var shown: Shown
  /// Nil while the tile moves, which has no texts then.
  package var name: String?
  package var isMuted: Bool

  package init(_ shown: Shown, name: String?, isMuted: Bool = false) {
    (self.shown, self.name, self.isMuted) = (shown, name, isMuted)
  }
}

/// What one picture of a programme shows.
package struct Scene: Hashable, Sendable {
  package let places: [Place]
  /// Of each place.
  package let contents: [TileContent]

  package init(_ places: [Place], _ contents: [TileContent]) {
    (self.places, self.contents) = (places, contents)
  }

  /// What is to be done about one place.
  package enum Step: Hashable, Sendable {
    /// The last picture has it.
    case copy(Int)
    case draw(Int)
  }

  /// The least to be done to a canvas that shows `old`, so that it shows this scene; the picture before it shows `last`.
  /// With other places, a canvas has to be cleared first.
  package func steps(on old: Scene, after last: Scene?) -> [Step] {
    let isCleared = old.places != places
    let last = last?.places == places ? last : nil
    var steps: [Step] = []
    var changed: [PictureArea] = []
    for index in places.indices {
      let area = places[index].area
      let isKept =
        !isCleared && old.contents[index] == contents[index] && !changed.contains { $0.overlaps(area) }
      if isKept { continue }
      changed.append(area)
      steps.append(last?.contents[index] == contents[index] ? .copy(index) : .draw(index))
    }
    return steps
  }
}
