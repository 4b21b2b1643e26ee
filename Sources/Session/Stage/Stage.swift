import HoldfastMediaModel

extension Session {
  /// Who is in which place of the grid, for each of its sizes, so that hubs, pages and programmes show the same.
  ///
  /// Nobody who is visible moves: places are kept by number. Who goes leaves a hole, which others fill last.
  package struct Stage: Hashable, Sendable {
    package internal(set) var grids = Capacity.allCases.map { Grid($0) }

    /// How many members are shown at most. The raw values appear in states and events, a stable interface.
    package enum Capacity: Int, Hashable, Sendable, CaseIterable {
      case one = 1
      case four = 4
      case six = 6
      case nine = 9
      case twelve = 12
    }

    package subscript(capacity: Capacity) -> Grid {
      grids.first { $0.capacity == capacity } ?? Grid(capacity)
    }

    /// Returns the grids that changed for whoever looks at them.
    mutating func follow(_ performers: [Performer], at now: WallTime) -> [Shown] {
      let present = Set(performers.map(\.id))
      let inOrder = performers.sorted { $0.comesBefore($1) }
      var changed: [Shown] = []
      for index in grids.indices {
        let before = grids[index].shown
        grids[index].follow(inOrder, present, at: now)
        if grids[index].shown != before { changed.append(grids[index].shown) }
      }
      return changed
    }
  }
}

extension Session.Stage {
  /// A member who may be shown.
  struct Performer: Hashable {
    let id: Session.Member.ID
    /// Of the speaker, who comes before all others.
    var speaks = false
    /// When it last spoke.
    var spokeAt: WallTime?
    var hasPicture = true
    var joinedAt: WallTime

    /// The order in which members come in where there is room.
    func comesBefore(_ other: Self) -> Bool {
      if speaks != other.speaks { return speaks }
      if (spokeAt == nil) != (other.spokeAt == nil) { return spokeAt != nil }
      if hasPicture != other.hasPicture { return hasPicture }
      let (mine, others) = (spokeAt ?? joinedAt, other.spokeAt ?? other.joinedAt)
      return mine == others ? id.text < other.id.text : mine > others
    }
  }
}
