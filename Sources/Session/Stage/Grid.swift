package import HoldfastMediaModel

extension Session.Stage {
  /// The places of one size of the stage.
  package struct Grid: Hashable, Sendable {
    package let capacity: Capacity
    /// By number; never more than the capacity.
    package internal(set) var places: [Place] = []

    package enum Place: Hashable, Sendable {
      case taken(Session.Member.ID, since: WallTime)
      /// Kept for who was there until somebody else needs it.
      case hole(of: Session.Member.ID)
    }

    init(_ capacity: Capacity) { self.capacity = capacity }

    package var shown: Shown { Shown(capacity: capacity, places: places.prefix(used).map(\.member)) }

    /// Up to the last place that is taken.
    private var used: Int { (places.lastIndex { $0.member != nil } ?? -1) + 1 }
  }
}

extension Session.Stage {
  /// A grid as members see it.
  package struct Shown: Hashable, Sendable {
    package let capacity: Capacity
    /// Up to the last that is taken; nil for a hole.
    package let places: [Session.Member.ID?]

    package var shape: GridShape { GridShape(of: places.count) }
  }
}

extension Session.Stage.Grid.Place {
  var member: Session.Member.ID? {
    switch self {
    case .taken(let id, _): id
    case .hole: nil
    }
  }
}

// MARK: - Who comes and goes

extension Session.Stage.Grid {
  /// `performers` are in the order in which they come in.
  mutating func follow(
    _ performers: [Session.Stage.Performer], _ present: Set<Session.Member.ID>, at now: WallTime
  ) {
    for (number, place) in places.enumerated() {
      if let id = place.member, !present.contains(id) { places[number] = .hole(of: id) }
    }
    let visible = Set(places.compactMap(\.member))
    for performer in performers where !visible.contains(performer.id) {
      if let number = freePlace(for: performer.id) {
        put(performer.id, at: number, now)
      } else if performer.speaks, let number = placeOfTheQuietest(performers) {
        put(performer.id, at: number, now)
      } else {
        return
      }
    }
  }

  private mutating func put(_ id: Session.Member.ID, at number: Int, _ now: WallTime) {
    let place = Place.taken(id, since: now)
    if number < places.count { places[number] = place } else { places.append(place) }
  }

  /// The member's former place, else the next after the last taken one, else a hole; only then does the grid grow.
  private func freePlace(for id: Session.Member.ID) -> Int? {
    let shape = GridShape(of: used)
    let inShape = min(shape.rows * shape.columns, capacity.rawValue)
    if let own = places.firstIndex(of: .hole(of: id)), own < inShape { return own }
    if used < inShape { return used }
    if let hole = places.prefix(used).firstIndex(where: { $0.member == nil }) { return hole }
    return used < capacity.rawValue ? used : nil
  }

  /// Of who has been visible and has not spoken for longest.
  private func placeOfTheQuietest(_ performers: [Session.Stage.Performer]) -> Int? {
    let quiet = places.enumerated().compactMap { number, place -> (number: Int, since: WallTime)? in
      guard case .taken(let id, let since) = place else { return nil }
      let spokeAt = performers.first { $0.id == id }?.spokeAt
      return (number, max(since, spokeAt ?? since))
    }
    return quiet.min { $0.since < $1.since }?.number
  }
}
